import type { ReactNode } from "react";
import { count, DASH, visible } from "#lib/format.ts";
import type { ArmView, VerdictView } from "#lib/verdict/view.ts";
import { Untrusted } from "../rate.tsx";

/** Both arms and where their numbers come from. */
export function Arms({ arms: { baseline, candidate } }: Pick<VerdictView, "arms">) {
  const rows = ROWS.filter(([, of]) => of(baseline) !== null || of(candidate) !== null);
  return (
    <table className="w-full table-fixed text-sm">
      <colgroup>
        <col className="w-28 sm:w-40" />
        <col />
        <col />
      </colgroup>
      <thead className="text-left text-muted text-xs">
        <tr className="border-strong border-b">
          <td />
          <th scope="col" className="py-1 pr-3 font-normal">
            baseline
          </th>
          <th scope="col" className="py-1 font-normal">
            candidate
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, of, mono]) => (
          <tr key={name} className="border-line border-b align-top">
            <th scope="row" className="py-1 pr-3 text-left font-normal text-muted">
              {name}
            </th>
            <Cell mono={mono ?? false}>{of(baseline)}</Cell>
            <Cell mono={mono ?? false}>{of(candidate)}</Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ children, mono }: { children: string | null; mono: boolean }): ReactNode {
  return (
    <td className="break-words py-1 pr-3">
      {children === null ? (
        <span className="text-muted">{DASH}</span>
      ) : (
        <Untrusted mono={mono}>{visible(children)}</Untrusted>
      )}
    </td>
  );
}

const ROWS: [string, (arm: ArmView) => string | null, mono?: boolean][] = [
  ["label", ({ label }) => label],
  ["cases passed", ({ cases }) => cases && `${cases.passed} of ${cases.total}`],
  ["runs", coverage],
  ["model", ({ source }) => source?.model ?? null, true],
  ["provider", ({ source }) => source?.provider ?? null],
  ["runs per case", ({ source }) => number(source?.runs_per_case)],
  ["report", ({ name }) => name, true],
  ["file, SHA-256", ({ source }) => source?.sha256 ?? null, true],
  ["case set", ({ source }) => source?.case_set_sha256 ?? null, true],
  ["fixture", ({ source }) => source?.fixture_sha256 ?? null, true],
  ["judge", ({ source }) => (source?.judge ? `${source.judge.provider}/${source.judge.model}` : null)],
  ["grader", ({ source }) => source?.grader_version ?? null],
  ["sandbox", ({ source }) => source?.sandbox ?? null],
  ["seed", ({ source }) => number(source?.seed)],
  ["concurrency", ({ source }) => number(source?.concurrency)],
  ["measured", ({ source }) => source?.created_at ?? null],
];

function coverage({ coverage: runs }: ArmView): string | null {
  return (
    runs && `${runs.scored} scored, ${runs.errored} errored, ${runs.not_scored} not scored, of ${runs.total}`
  );
}

function number(n: number | null | undefined): string | null {
  return n == null ? null : count(n);
}
