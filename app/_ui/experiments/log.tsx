import { visible } from "#lib/format.ts";
import type { LogLine } from "#lib/queue/log.io.ts";
import { clockTime, dateTime } from "../dates.ts";

/** Lines of the log in their order, each with its time. */
export function Log({ lines, zone }: { lines: LogLine[]; zone: string }) {
  return (
    <ol aria-label="Log" className="font-mono text-xs">
      {lines.map(({ id, at, line }) => (
        <li key={id} className="flex gap-3 py-0.5">
          <time
            dateTime={new Date(at).toISOString()}
            title={`${dateTime(at, zone)} (${zone})`}
            className="shrink-0 text-muted"
          >
            {clockTime(at, zone)}
          </time>
          <bdi className="min-w-0 whitespace-pre-wrap">{visible(line)}</bdi>
        </li>
      ))}
    </ol>
  );
}
