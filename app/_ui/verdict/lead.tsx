import type { ReactNode } from "react";
import { visible } from "#lib/format.ts";
import type { VerdictView } from "#lib/verdict/view.ts";
import { currencyWords } from "#lib/verdict/words.ts";
import { Instant, Stamp } from "../time.tsx";

/** When, by what and over what it was judged, in one line. */
export function VerdictFacts({ view, zone, file }: { view: VerdictView; zone: string; file: string | null }) {
  const { created_at, made_by, holdout_in, paired, id, prediction } = view;
  const judged =
    created_at === null ? "when it was judged is unknown" : <Judged at={created_at} zone={zone} />;
  const parts: { key: string; part: ReactNode }[] = [
    { key: "at", part: judged },
    { key: "by", part: made_by === null ? null : `by ${visible(made_by)}` },
    { key: "what", part: `on ${currencyWords(view.currency)}` },
    { key: "class", part: prediction === null ? null : `class ${prediction.change_class}` },
    { key: "paired", part: paired === null ? null : `${paired} paired` },
    { key: "split", part: holdout_in === null ? null : `one in ${holdout_in} held out by a hash of its id` },
    { key: "file", part: file === null ? null : <bdi className="font-mono">{visible(file)}</bdi> },
    { key: "id", part: id === null ? null : <ShortId id={id} /> },
  ];
  return (
    <ul className="flex flex-wrap gap-y-1">
      {parts
        .filter(({ part }) => part !== null)
        .map(({ key, part }) => (
          <li key={key} className="not-last:after:px-1.5 not-last:after:content-['·']">
            {part}
          </li>
        ))}
    </ul>
  );
}

function ShortId({ id }: { id: string }) {
  return <span title={id} className="font-mono">{`${id.slice(0, 12)}…`}</span>;
}

function Judged({ at, zone }: { at: string; zone: string }) {
  return (
    <>
      judged <Instant at={at} zone={zone} />
    </>
  );
}

const KEPT = { kept: "✓", missed: "✕", unknown: "?" } as const;

/** Why, in one sentence; then which rule decided, and what became of the claim made beforehand. */
export function Lead({ view: { reason, rule, prediction }, zone }: { view: VerdictView; zone: string }) {
  const sentence = reason === null ? "Nobody judged it: the file holds what was measured" : visible(reason);
  return (
    <div className="mb-6 max-w-[72ch]">
      <p className="text-lg">{`${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`}</p>
      {rule !== null && (
        <p className="mt-1 text-muted text-sm">
          {`decided by rule ${rule.position} of ${rule.of}: `}
          <span className="font-mono text-xs">{rule.name}</span>
        </p>
      )}
      {prediction?.metric != null && (
        <p className="mt-2 text-sm">
          {"predicted: lower "}
          <span className="font-mono text-xs">{prediction.metric}</span>
          {" — "}
          <strong className="font-semibold">
            <span aria-hidden="true">{KEPT[prediction.kept ?? "unknown"]} </span>
            {prediction.kept ?? "unknown"}
          </strong>
          {prediction.made_at !== null && (
            <span className="text-muted text-xs">
              {" (written down "}
              <Stamp at={prediction.made_at} zone={zone} />)
            </span>
          )}
        </p>
      )}
      {prediction?.rationale != null && (
        <p className="mt-1 text-sm">
          <span className="text-muted">because: </span>
          <bdi className="break-words">{visible(prediction.rationale)}</bdi>
        </p>
      )}
    </div>
  );
}

/** What a reader has to know before the numbers. */
export function Remarks({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <aside
      aria-label="Before the numbers"
      className="mb-6 max-w-[80ch] border-attention border-l-2 pl-3 text-sm"
    >
      <ul>
        {lines.map((line) => (
          <li key={line} className="break-words">
            {visible(line)}
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** A file whose numbers do not follow from its measurements: what it claims is not repeated as a verdict. */
export function Disagreements({ lines }: { lines: string[] }) {
  return (
    <div
      role="alert"
      className="mb-6 rounded border border-broken/40 bg-broken-wash px-3 py-2 text-broken text-sm"
    >
      <p>✕ This file does not follow from its own measurements. Do not rely on what it says.</p>
      <ul className="mt-1 list-disc pl-5 text-xs">
        {lines.map((line) => (
          <li key={line} className="break-words">
            {visible(line.trim())}
          </li>
        ))}
      </ul>
    </div>
  );
}
