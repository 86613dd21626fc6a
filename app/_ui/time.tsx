import { visible } from "#lib/format.ts";
import { dateTime, isStamp, relative } from "./dates.ts";

/** An instant as `2026-11-30 14:03` in the page's zone; the full stamp on hover. */
export function Instant({ at, zone }: { at: string; zone: string }) {
  return (
    <time dateTime={at} title={`${at} (${zone})`} className="whitespace-nowrap">
      {dateTime(at, zone)}
    </time>
  );
}

/** A sentence whose dates stay whole; a line may end at a hyphen otherwise. */
export function Dated({ text }: { text: string }) {
  return text.split(/(\d{4}-\d\d-\d\d(?: \d\d:\d\d)?)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is its order
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}

/** A stamp that others wrote: as an instant, or where it is none as it was written. */
export function Stamp({ at, zone }: { at: string; zone: string }) {
  return isStamp(at) ? <Instant at={at} zone={zone} /> : <bdi className="break-words">{visible(at)}</bdi>;
}

/** How long ago an instant was; the absolute time on hover. */
export function Ago({ at, now, zone }: { at: string; now: number; zone: string }) {
  return (
    <time dateTime={at} title={`${dateTime(at, zone)} (${zone})`} className="whitespace-nowrap">
      {relative(at, now)}
    </time>
  );
}
