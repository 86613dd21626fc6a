import { utcText } from "#lib/transcript/utc.ts";

/** A record's time stamp as RFC 3339 in UTC; null where it has none that can be read. */
export function instantOf(text: string | null): string | null {
  return text === null ? null : utcText(text);
}
