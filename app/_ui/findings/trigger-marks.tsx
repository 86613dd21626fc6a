import type { TriggerMark } from "#lib/doctor/finding.ts";
import { TRIGGER_MARKS } from "#lib/doctor/trigger-marks.ts";
import { dateTime } from "../dates.ts";
import { sessionHref } from "../href.ts";
import { counted } from "../number.ts";

const LOOK = {
  ok: { ...TRIGGER_MARKS.ok, tone: "text-fine" },
  error: { ...TRIGGER_MARKS.error, tone: "text-broken" },
  did_nothing: { ...TRIGGER_MARKS.did_nothing, tone: "text-attention" },
  skipped: { ...TRIGGER_MARKS.skipped, tone: "text-muted" },
};

/** The last runs of a trigger, oldest first: how each went, and under it its calls and errors. */
export function TriggerMarks({ marks, zone }: { marks: TriggerMark[]; zone: string }) {
  if (marks.length === 0) return <span className="text-muted text-xs">never ran</span>;
  return (
    <ol aria-label="Last runs, oldest first" className="flex gap-1">
      {marks.map((mark) => (
        <li key={`${mark.started_at} ${mark.session_id}`}>
          <Mark mark={mark} zone={zone} />
        </li>
      ))}
    </ol>
  );
}

function Mark({ mark, zone }: { mark: TriggerMark; zone: string }) {
  const { glyph, word, tone } = LOOK[mark.outcome];
  const title = `${dateTime(mark.started_at, zone)}: ${word}, ${counted(mark.tool_calls, "call")}, ${counted(mark.tool_errors, "error")}`;
  const body = (
    <>
      <span aria-hidden="true" className={`block text-base leading-4 ${tone}`}>
        {glyph}
      </span>
      <span className="sr-only">{title}</span>
      <span aria-hidden="true" className="block text-muted text-xs leading-4">
        {mark.outcome === "skipped" ? "–" : `${mark.tool_calls}/${mark.tool_errors}`}
      </span>
    </>
  );
  const className = "block min-w-9 rounded border border-line px-1 py-0.5 text-center";
  if (mark.session_id === null) {
    return (
      <span title={title} className={className}>
        {body}
      </span>
    );
  }
  return (
    <a
      href={sessionHref(mark.session_id, "mecha")}
      title={title}
      className={`${className} hover:border-strong hover:bg-hover`}
    >
      {body}
    </a>
  );
}

/** What the marks mean, once for the whole table. */
export function MarkLegend() {
  return (
    <p className="text-muted text-xs">
      {Object.values(LOOK).map(({ glyph, word, tone }) => (
        <span key={word} className="mr-3 whitespace-nowrap">
          <span aria-hidden="true" className={tone}>
            {glyph}
          </span>{" "}
          {word}
        </span>
      ))}
      <span className="whitespace-nowrap">Under each mark: calls/errors.</span>
    </p>
  );
}
