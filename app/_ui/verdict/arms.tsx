import type { ReactNode } from "react";
import { count, DASH, visible } from "#lib/format.ts";
import type { ArmView, VerdictView } from "#lib/verdict/view.ts";
import { ARM_NAMES } from "#lib/verdict/words.ts";
import { Untrusted } from "../rate.tsx";
import { Stamp } from "../time.tsx";

/** Both arms and where their numbers come from. */
export function Arms({ arms: { baseline, candidate }, zone }: Pick<VerdictView, "arms"> & { zone: string }) {
  const rows = ROWS.filter(([, of]) => of(baseline) !== null || of(candidate) !== null);
  return (
    <table className="w-full table-fixed text-sm">
      <colgroup>
        <col className="w-24 sm:w-40" />
        <col />
        <col />
      </colgroup>
      <thead className="text-left text-muted text-xs">
        <tr className="border-strong border-b">
          <td />
          <th scope="col" className="py-1 pr-3 font-normal">
            {ARM_NAMES.baseline}
          </th>
          <th scope="col" className="py-1 font-normal">
            {ARM_NAMES.candidate}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, of, look]) => (
          <tr key={name} className="border-line border-b align-top">
            <th scope="row" className="py-1 pr-3 text-left font-normal text-muted">
              {name}
            </th>
            <Cell text={of(baseline)} look={look} zone={zone} />
            <Cell text={of(candidate)} look={look} zone={zone} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ text, look, zone }: { text: string | null; look: Look | undefined; zone: string }) {
  return <td className="break-words py-1 pr-2 sm:pr-3">{textIn(text, look, zone)}</td>;
}

function textIn(text: string | null, look: Look | undefined, zone: string): ReactNode {
  if (text === null) return <span className="text-muted">{DASH}</span>;
  if (look === "stamp") return <Stamp at={text} zone={zone} />;
  return <Untrusted mono={look === "mono"}>{visible(text)}</Untrusted>;
}

type Look = "mono" | "stamp";

const ROWS: [string, (arm: ArmView) => string | null, look?: Look][] = [
  ["label", ({ label }) => label],
  ["cases passed", ({ cases }) => cases && `${cases.passed} of ${cases.total}`],
  ["runs", coverage],
  ["model", ({ source }) => source?.model ?? null, "mono"],
  ["provider", ({ source }) => source?.provider ?? null],
  ["runs per case", ({ source }) => number(source?.runs_per_case)],
  ["report", ({ name }) => name, "mono"],
  ["file, SHA-256", ({ source }) => source?.sha256 ?? null, "mono"],
  ["case set", ({ source }) => source?.case_set_sha256 ?? null, "mono"],
  ["fixture", ({ source }) => source?.fixture_sha256 ?? null, "mono"],
  ["judge", ({ source }) => (source?.judge ? `${source.judge.provider}/${source.judge.model}` : null)],
  ["grader", ({ source }) => source?.grader_version ?? null],
  ["sandbox", ({ source }) => source?.sandbox ?? null],
  ["seed", ({ source }) => number(source?.seed)],
  ["concurrency", ({ source }) => number(source?.concurrency)],
  ["measured", ({ source }) => source?.created_at ?? null, "stamp"],
];

function coverage({ coverage: runs }: ArmView): string | null {
  return (
    runs && `${runs.scored} scored, ${runs.errored} errored, ${runs.not_scored} not scored, of ${runs.total}`
  );
}

function number(n: number | null | undefined): string | null {
  return n == null ? null : count(n);
}
