import type { Entry } from "#lib/sources/entry.ts";

/** Calls without a result that are kept in mind. */
const OPEN_CALLS_MAX = 1000;

/** Gives a result the name of the tool whose call it answers, where the call was shown; formats write it on that only. */
export function toolNames(): (entry: Entry) => Entry {
  const names = new Map<string, string>();
  return (entry) => {
    const { kind, call_id, tool } = entry;
    if (call_id === null) return entry;
    if (kind === "call" && tool !== null && names.size < OPEN_CALLS_MAX) names.set(call_id, tool);
    if (kind !== "result" || tool !== null) return entry;
    const named = { ...entry, tool: names.get(call_id) ?? null };
    names.delete(call_id);
    return named;
  };
}
