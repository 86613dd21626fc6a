import { isCompanion } from "#lib/companion-file.ts";
import type { Adapter, Head, HeadReader, JsonObject } from "#lib/sources/adapter.ts";
import type { Meta } from "#lib/transcript/record.ts";
import { parseMeta } from "#lib/transcript/stats.ts";
import { addRecord, addText, readMeta, type State } from "./fold.ts";
import { skim } from "./skim.ts";
import { isUnread, startsUnread, unreadInParts } from "./unread.ts";

/** mecha's own sessions: `<id>.jsonl` in one folder, the outcome of each run written by the harness itself. */
export const mecha: Adapter<State> = {
  kind: "mecha",
  provenance: "recorded",
  depth: 0,
  stampsRuns: false,
  accepts: (relative) => relative.endsWith(".jsonl") && relative !== ".jsonl" && !isCompanion(relative),
  head: headReader,
  headText: (text) => asHead(readMeta(text)),
  sparse: true,
  tears: false,
  start: (head) => ({
    sessionId: head.id,
    startedAt: head.created_at,
    // Not the header's: it is a record like the others, and takes effect where it stands.
    provider: "",
    model: "",
    config: null,
    runs: [],
  }),
  wants: (buf, start, end) => !startsUnread(buf, start, end),
  skips: isUnread,
  skipsParts: unreadInParts,
  skim,
  record: addRecord,
  recordText: addText,
  finish: (state) => ({ runs: state.runs.slice(), unfinished: [], provider_errors: [] }),
};

/** Only the first record of a file can be its header. */
function headReader(): HeadReader {
  return {
    take: (value, text) => (value === null ? null : headOf(value, text)) ?? "none",
    end: () => null,
  };
}

function headOf(value: JsonObject, text: string): Head | null {
  if (value.record !== "meta") return null;
  return asHead(readMeta(text) ?? parseMeta(value, text));
}

function asHead(meta: Meta | null): Head | null {
  return meta && { ...meta, subagent: false, parent_id: null };
}
