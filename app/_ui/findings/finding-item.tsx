import type { FindingView } from "#app/findings-view.ts";
import { percent, visible } from "#lib/format.ts";
import { Command } from "../command.tsx";
import { age, dateTime, isStamp, withDateTimes } from "../dates.ts";
import { grouped } from "../number.ts";

const LOOK = {
  broken: { glyph: "✕", tone: "text-broken" },
  attention: { glyph: "!", tone: "text-attention" },
} as const;

/** One finding: what is wrong, the numbers it rests on, since when, and what a person can do. */
export function FindingItem({ view, now, zone }: { view: FindingView; now: number; zone: string }) {
  const { finding, command, rowsHref } = view;
  const { glyph, tone } = LOOK[finding.severity];
  return (
    <li className="flex gap-3 border-line border-b py-3">
      <span aria-hidden="true" className={`w-4 shrink-0 text-center font-semibold ${tone}`}>
        {glyph}
      </span>
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h3 className="font-semibold text-base">
            <bdi>{visible(finding.summary)}</bdi>
          </h3>
          <Since view={view} now={now} zone={zone} />
        </div>
        <p className="max-w-[72ch] text-muted text-sm">
          <bdi>{withDateTimes(visible(finding.detail), zone)}</bdi>
        </p>
        <Evidence evidence={finding.evidence} zone={zone} />
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          {command !== null && (
            <>
              <Command line={command} />
              <span className="text-muted text-xs">{finding.remedy?.description}</span>
            </>
          )}
          {rowsHref !== null && (
            <a href={rowsHref} className="link">
              {rowsHref.startsWith("#") ? "See its last runs" : "See the runs behind it"}
            </a>
          )}
        </div>
      </div>
    </li>
  );
}

function Since({
  view: { since, or_earlier, is_new },
  now,
  zone,
}: {
  view: FindingView;
  now: number;
  zone: string;
}) {
  if (since === null) return <span className="text-muted text-xs">no telling since when</span>;
  return (
    <span
      className="whitespace-nowrap text-muted text-xs"
      title={`${dateTime(since, zone)}${or_earlier ? " or earlier" : ""}`}
    >
      {is_new && (
        <strong className="mr-2 rounded bg-accent-wash px-1.5 py-0.5 font-semibold text-accent">new</strong>
      )}
      {`standing for ${or_earlier ? "at least " : ""}${age(since, now)}`}
    </span>
  );
}

const EVIDENCE_NAME: Record<string, string> = {
  earlier_calls: "calls before",
  earlier_runs: "runs before",
  failed_runs: "failed runs",
  started_at: "run of",
  accounted_until: "accounted until",
  third_missed_slot: "third missed slot",
};
/** Said by the sentence or by the rate already. */
const UNSAID = new Set([
  "model",
  "provenance",
  "trigger",
  "place",
  "hits",
  "of",
  "rate",
  "threshold",
  "ended_on_failed_call",
]);

/** The numbers behind the sentence: the rate with its pair against its threshold, then the rest. */
function Evidence({ evidence, zone }: { evidence: FindingView["finding"]["evidence"]; zone: string }) {
  const { hits, of, threshold } = evidence;
  const parts: { name: string; value: string }[] = [];
  if (typeof hits === "number" && typeof of === "number") {
    parts.push({ name: "rate", value: `${percent({ hits, of }, 1)}  ${grouped(hits)} / ${grouped(of)}` });
    if (typeof threshold === "number")
      parts.push({ name: "reported from", value: percent({ hits: threshold, of: 1 }, 0) });
  }
  for (const [key, value] of Object.entries(evidence)) {
    if (UNSAID.has(key) || value === null) continue;
    parts.push({ name: EVIDENCE_NAME[key] ?? key, value: valueText(value, zone) });
  }
  if (parts.length === 0) return null;
  return (
    <dl className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {parts.map(({ name, value }) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{name}</dt>
          <dd className="whitespace-pre">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(value: string | number, zone: string): string {
  if (typeof value === "number") return grouped(value);
  return isStamp(value) ? dateTime(value, zone) : visible(value);
}
