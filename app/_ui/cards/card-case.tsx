"use client";

import { useState } from "react";
import type { CaseDetail, RunDetail } from "#lib/eval/case-detail.ts";
import { visible } from "#lib/format.ts";
import { Untrusted } from "../rate.tsx";
import { runTranscriptHref } from "./hrefs.ts";
import { ChangeTag, RunStrip } from "./marks.tsx";
import { Letter } from "./matrix-row.tsx";
import { RunView } from "./run-view.tsx";
import { fetchMore, messageOf } from "./use-case.ts";

/** One case in one card: its runs, those that did not pass unfolded. */
export function CardCase({
  id,
  name,
  at,
  detail,
  problem,
  cell,
  baseline,
}: {
  id: string;
  name: string;
  at: number;
  detail: CaseDetail | null;
  problem: string | null;
  cell: string;
  /** The baseline's runs; null where they are not to be compared with. */
  baseline: string | null;
}) {
  return (
    <section aria-label={`Card ${visible(name)}`} className="border-line border-b py-4 last:border-b-0">
      <h3 className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Letter at={at} />
        <Untrusted mono>{visible(name)}</Untrusted>
        <RunStrip cell={cell} />
        {baseline !== null && <ChangeTag baseline={baseline} cell={cell} />}
      </h3>
      {problem !== null && <p role="alert" className="text-attention text-sm">{`! ${visible(problem)}`}</p>}
      {detail !== null && (
        <>
          {detail.not_scored !== null && (
            <p className="text-attention text-sm">{`! Not scored: ${visible(detail.not_scored)}`}</p>
          )}
          {detail.total === 0 && detail.not_scored === null && (
            <p className="text-muted text-sm">This card did not run it.</p>
          )}
          <Runs id={id} name={name} detail={detail} />
        </>
      )}
    </section>
  );
}

function Runs({ id, name, detail }: { id: string; name: string; detail: CaseDetail }) {
  const [more, setMore] = useState<RunDetail[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const runs = [...detail.runs, ...more];
  const missing = detail.total - runs.length;

  async function load() {
    setBusy(true);
    try {
      const next = await fetchMore(name, id, { from: runs.length });
      setMore([...more, ...next.runs]);
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <ol>
        {runs.map((run, index) => (
          <li key={run.run} className="border-line border-t first:border-t-0">
            <RunView
              run={run}
              of={detail.total}
              transcript={runTranscriptHref(name, id, run.run)}
              fetchWhole={async () => (await fetchMore(name, id, { run: index })).runs[0] ?? null}
            />
          </li>
        ))}
      </ol>
      {missing > 0 && (
        <button type="button" onClick={() => void load()} aria-busy={busy} className="link mt-1 text-xs">
          {`show more of the other ${missing} runs`}
        </button>
      )}
      {problem !== null && <p role="alert" className="text-broken text-xs">{`✕ ${problem}`}</p>}
    </>
  );
}
