const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** An ISO time stamp as RFC 3339 in UTC; null for anything that is no date a four-digit year can write. */
export function instantOf(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const ms = Date.parse(text);
  if (!(ms >= EARLIEST && ms <= LATEST)) return null;
  return new Date(ms).toISOString();
}
