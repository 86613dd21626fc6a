import { visible } from "#lib/format.ts";
import type { DiagnosisJob } from "#lib/queue/diagnosis-jobs.io.ts";
import { Command } from "../command.tsx";
import { age } from "../dates.ts";

const LOOK = {
  queued: { glyph: "·", word: "waits", tone: "text-muted" },
  running: { glyph: "▸", word: "is at work", tone: "text-accent" },
  failed: { glyph: "!", word: "failed", tone: "text-attention" },
} as const;

/** How long a job may wait before it looks as if nobody were there to take it. */
const PATIENCE_MS = 10_000;

/** Whether what waits since `createdAt` looks as if no worker were there. */
export function isLeft(createdAt: number, now: number): boolean {
  return now - createdAt > PATIENCE_MS;
}

/** Diagnoses on their way. */
export function OpenDiagnoses({ jobs, now }: { jobs: DiagnosisJob[]; now: number }) {
  if (jobs.length === 0) return null;
  const left = jobs.some(({ state, createdAt }) => state === "queued" && isLeft(createdAt, now));
  const busy = jobs.some(({ state }) => state === "running");
  return (
    <div role="status" className="mt-4 rounded border border-line bg-raised px-3 py-2 text-sm">
      <ul>
        {jobs.map(({ payload, state, createdAt, problem }) => {
          const { glyph, word, tone } = LOOK[state];
          return (
            <li key={payload.id} className="flex flex-wrap gap-x-3 py-0.5">
              <span className={`font-semibold ${tone}`}>
                <span aria-hidden="true">{glyph} </span>
                {`A diagnosis ${word}`}
              </span>
              <bdi className="min-w-0 text-muted text-xs leading-5">
                {visible(
                  `${payload.subject ?? "the model with the most runs"} · ${payload.provider ?? "the configured provider"} · for ${age(createdAt, now)}`,
                )}
              </bdi>
              {problem !== null && (
                <span className="basis-full text-attention text-xs">{visible(problem)}</span>
              )}
            </li>
          );
        })}
      </ul>
      {left && !busy && <NoWorker />}
    </div>
  );
}

/** Said where something waits for long and nothing moves. */
export function NoWorker() {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      <span>No worker seems to be at work. npm start runs one beside this dashboard; so does:</span>
      <Command line="mecha worker" />
    </p>
  );
}
