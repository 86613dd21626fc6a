import { hrefTo } from "#app/_ui/href.ts";
import type { HealthAsk } from "#app/search.ts";
import { isoUtc } from "#lib/time.ts";

/** The health page of the same window with something changed. */
export function healthHref(ask: HealthAsk, change: Record<string, string | null>): string {
  return hrefTo("/", {
    days: ask.days === 30 ? null : (ask.days ?? "all"),
    as_of: ask.asOfMs === null ? null : isoUtc(ask.asOfMs),
    zone: ask.zoneAsked,
    source: ask.source,
    model: ask.model,
    metric: ask.metric === "tool_error_rate" ? null : ask.metric,
    per: ask.per,
    ...change,
  });
}

/** The sessions of the same window. */
export function sessionsHref(ask: HealthAsk, change: Record<string, string | null>): string {
  return hrefTo("/sessions", {
    days: ask.days,
    as_of: ask.asOfMs === null ? null : isoUtc(ask.asOfMs),
    zone: ask.zoneAsked,
    source: ask.source,
    model: ask.model,
    ...change,
  });
}
