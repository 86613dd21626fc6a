import {
  type Cursor,
  enterArray,
  enterObject,
  moreItems,
  moreKeys,
  nextKey,
  readCount,
  readString,
  readTextStart,
  readTrue,
  readWord,
  skip,
} from "./cursor.ts";
import type { BlockFacts, MessageFacts, TextStart, UsageFacts } from "./facts.ts";
import { OPEN_BRACE, QUOTE_MARK } from "./json-bytes.ts";
import { wordTable } from "./word-table.ts";

const MESSAGE_FIELDS = wordTable(["id", "model", "stop_reason", "usage", "content"]);

/** The message of a record; null where it is no object. */
export function readMessage(cursor: Cursor): MessageFacts | null {
  const message: MessageFacts = {
    id: null,
    model: null,
    stopReason: null,
    usage: null,
    text: null,
    blocks: [],
  };
  const isObject = cursor.buf[cursor.at] === OPEN_BRACE;
  if (!enterObject(cursor)) return isObject ? message : null;
  do {
    const field = nextKey(cursor, MESSAGE_FIELDS);
    if (cursor.failed) return null;
    if (field === 0) message.id = readString(cursor);
    else if (field === 1) message.model = readString(cursor);
    else if (field === 2) message.stopReason = readString(cursor);
    else if (field === 3) message.usage = readUsage(cursor);
    else if (field === 4) readContent(cursor, message);
    else skip(cursor);
  } while (moreKeys(cursor));
  return message;
}

const USAGE_FIELDS = wordTable([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
]);

function readUsage(cursor: Cursor): UsageFacts | null {
  const usage: UsageFacts = { input: -1, output: -1, cacheCreation: 0, cacheRead: 0 };
  const isObject = cursor.buf[cursor.at] === OPEN_BRACE;
  if (!enterObject(cursor)) return isObject ? usage : null;
  do {
    const field = nextKey(cursor, USAGE_FIELDS);
    if (cursor.failed) return null;
    if (field === 0) usage.input = readCount(cursor, -1);
    else if (field === 1) usage.output = readCount(cursor, -1);
    else if (field === 2) usage.cacheCreation = readCount(cursor, 0);
    else if (field === 3) usage.cacheRead = readCount(cursor, 0);
    else skip(cursor);
  } while (moreKeys(cursor));
  return usage;
}

function readContent(cursor: Cursor, message: MessageFacts): void {
  message.text = null;
  message.blocks = [];
  if (cursor.buf[cursor.at] === QUOTE_MARK) {
    message.text = readTextStart(cursor);
  } else if (enterArray(cursor)) {
    do message.blocks.push(readBlock(cursor));
    while (moreItems(cursor));
  }
}

const BLOCK_FIELDS = wordTable(["type", "id", "tool_use_id", "is_error", "content", "text"]);
const BLOCK_TYPES = wordTable(["text", "tool_use", "tool_result"]);

function readBlock(cursor: Cursor): BlockFacts {
  let type = -1;
  let id: string | null = null;
  let call: string | null = null;
  let error = false;
  let content: TextStart = { start: "", blank: true };
  let text: TextStart = { start: "", blank: true };
  if (!enterObject(cursor)) return { kind: "other" };
  do {
    const field = nextKey(cursor, BLOCK_FIELDS);
    if (cursor.failed) break;
    if (field === 0) type = readWord(cursor, BLOCK_TYPES);
    else if (field === 1) id = readString(cursor);
    else if (field === 2) call = readString(cursor);
    else if (field === 3) error = readTrue(cursor);
    else if (field === 4) content = readResultContent(cursor);
    else if (field === 5) text = readTextStart(cursor);
    else skip(cursor);
  } while (moreKeys(cursor));
  if (type === 0) return { kind: "text", text };
  if (type === 1) return { kind: "call", id };
  if (type === 2) return { kind: "result", call, error, text: content };
  return { kind: "other" };
}

/** A result's text is a string, or the first text block of a list. */
function readResultContent(cursor: Cursor): TextStart {
  if (cursor.buf[cursor.at] === QUOTE_MARK) return readTextStart(cursor);
  let first: TextStart | null = null;
  if (enterArray(cursor)) {
    do first = readPart(cursor) ?? first;
    while (first === null && moreItems(cursor));
    while (first !== null && moreItems(cursor)) skip(cursor);
  }
  return first ?? { start: "", blank: true };
}

const PART_FIELDS = wordTable(["type", "text"]);

function readPart(cursor: Cursor): TextStart | null {
  let isText = false;
  let text: TextStart = { start: "", blank: true };
  if (!enterObject(cursor)) return null;
  do {
    const field = nextKey(cursor, PART_FIELDS);
    if (cursor.failed) return null;
    if (field === 0) isText = readWord(cursor, BLOCK_TYPES) === 0;
    else if (field === 1) text = readTextStart(cursor);
    else skip(cursor);
  } while (moreKeys(cursor));
  return isText ? text : null;
}
