import { isUtf8 } from "node:buffer";
import { objectEnd, skipSpace, trimEnd } from "./json-bytes.ts";
import type { Message, Meta, Taint, TranscriptRecord } from "./record.ts";
import { parseRecord } from "./record-schema.ts";
import { hasOneTag } from "./stats.ts";

/** What a session's file says of its conversation. */
export type Loading = {
  meta: Meta | null;
  messages: Message[];
  /** Merged from every record of it, and never cleared. */
  taint: Taint;
  /** Tools called since the last record of the taint: what their results brought in, nobody has written down. */
  unsettled: Set<string>;
  /** Lines that are no record: torn, unknown, not UTF-8, too long. */
  skipped: number;
};

export function startLoading(): Loading {
  return {
    meta: null,
    messages: [],
    taint: { private: false, untrusted: false },
    unsettled: new Set(),
    skipped: 0,
  };
}

/**
 * Adds one line, of one object or of several that a crash glued together. A line that is no record changes nothing but
 * the count of those.
 */
export function addLine(into: Loading, line: Buffer): void {
  const end = trimEnd(line, 0, line.length);
  const start = skipSpace(line, 0, end);
  if (start >= end) return;
  const objects = isUtf8(line) ? cutObjects(line.subarray(start, end)) : null;
  const records = objects?.map(readRecord) ?? [null];
  for (const record of records) {
    if (record === null) into.skipped += 1;
    else addRecord(into, record);
  }
}

/** The texts of the objects on a line; what is behind the last whole one is a text of its own. */
function cutObjects(line: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < line.length; ) {
    const end = objectEnd(line, at, line.length);
    const stop = end < 0 ? line.length : end;
    texts.push(line.toString("utf8", at, stop));
    at = skipSpace(line, stop, line.length);
  }
  return texts;
}

function readRecord(text: string): TranscriptRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const record = parseRecord(value);
  return record !== null && hasOneTag(value as Record<string, unknown>, text) ? record : null;
}

function addRecord(into: Loading, record: TranscriptRecord): void {
  switch (record.record) {
    case "meta": {
      const { record: _, ...meta } = record;
      into.meta ??= meta;
      return;
    }
    case "message":
      addMessage(into, { role: record.role, content: record.content });
      return;
    case "rewrite":
      into.messages = record.messages;
      return;
    case "taint":
      into.taint = {
        private: into.taint.private || record.private,
        untrusted: into.taint.untrusted || record.untrusted,
      };
      into.unsettled.clear();
      return;
    case "config":
    case "summary":
    case "outcome":
      return;
    default:
      record satisfies never;
  }
}

function addMessage(into: Loading, message: Message): void {
  into.messages.push(message);
  for (const block of message.content) if (block.type === "tool_use") into.unsettled.add(block.name);
}
