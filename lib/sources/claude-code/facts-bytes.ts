import { type Cursor, enterObject, moreKeys, nextKey, readString, readTrue, skip } from "./cursor.ts";
import type { Facts } from "./facts.ts";
import { skipSpace } from "./json-bytes.ts";
import { readMessage } from "./message-bytes.ts";
import { wordTable } from "./word-table.ts";

/**
 * The facts of the one record in `buf[start, end)`, read from its bytes without decoding the texts it carries; null
 * where anything is unusual: then the record has to be decoded. What it gives folds into the same state as what
 * `factsOf` gives for the decoded record; facts that no rule uses for such a record may be missing.
 * The bytes must be UTF-8.
 */
export function factsFromBytes(buf: Buffer, start: number, end: number): Facts | null {
  const cursor: Cursor = { buf, at: skipSpace(buf, start, end), end, failed: false };
  const facts = noFacts();
  if (!enterObject(cursor)) return null;
  do readField(cursor, facts);
  while (moreKeys(cursor));
  if (cursor.failed || skipSpace(buf, cursor.at, end) < end) return null;
  return facts;
}

type Field = (facts: Facts, cursor: Cursor) => void;

const FIELDS: Record<string, Field> = {
  type: (facts, cursor) => {
    facts.type = readString(cursor);
  },
  message: (facts, cursor) => {
    facts.message = readMessage(cursor);
  },
  uuid: (facts, cursor) => {
    facts.uuid = readString(cursor);
  },
  parentUuid: (facts, cursor) => {
    facts.parent = readString(cursor);
  },
  sessionId: (facts, cursor) => {
    facts.session = readString(cursor);
  },
  timestamp: (facts, cursor) => {
    facts.time = readString(cursor);
  },
  version: (facts, cursor) => {
    facts.version = readString(cursor);
  },
  isSidechain: (facts, cursor) => {
    facts.sidechain = readTrue(cursor);
  },
  isMeta: (facts, cursor) => {
    facts.meta = readTrue(cursor);
  },
  isCompactSummary: (facts, cursor) => {
    facts.compactSummary = readTrue(cursor);
  },
  isVisibleInTranscriptOnly: (facts, cursor) => {
    facts.transcriptOnly = readTrue(cursor);
  },
  isApiErrorMessage: (facts, cursor) => {
    facts.apiError = readTrue(cursor);
  },
  toolDenialKind: (facts, cursor) => {
    facts.denial = readString(cursor);
  },
  permissionMode: (facts, cursor) => {
    facts.permissionMode = readString(cursor);
  },
  effort: (facts, cursor) => {
    facts.effort = readString(cursor);
  },
  origin: (facts, cursor) => {
    facts.origin = readInner(cursor, KIND);
  },
  forkedFrom: (facts, cursor) => {
    facts.forkedFrom = readInner(cursor, SESSION);
  },
  subtype: (facts, cursor) => {
    facts.subtype = readString(cursor);
  },
};
const FIELD_NAMES = wordTable(Object.keys(FIELDS));
const FIELD_READERS = Object.values(FIELDS);

function readField(cursor: Cursor, facts: Facts): void {
  const read = FIELD_READERS[nextKey(cursor, FIELD_NAMES)];
  if (cursor.failed) return;
  if (read === undefined) skip(cursor);
  else read(facts, cursor);
}

const KIND = wordTable(["kind"]);
const SESSION = wordTable(["sessionId"]);

/** The string under the one key of `keys` in an object. */
function readInner(cursor: Cursor, keys: ReturnType<typeof wordTable>): string | null {
  let found: string | null = null;
  if (!enterObject(cursor)) return null;
  do {
    const key = nextKey(cursor, keys);
    if (cursor.failed) return null;
    if (key < 0) skip(cursor);
    else found = readString(cursor);
  } while (moreKeys(cursor));
  return found;
}

function noFacts(): Facts {
  return {
    type: null,
    subtype: null,
    uuid: null,
    parent: null,
    session: null,
    forkedFrom: null,
    agent: null,
    time: null,
    version: null,
    permissionMode: null,
    effort: null,
    origin: null,
    denial: null,
    sidechain: false,
    meta: false,
    compactSummary: false,
    transcriptOnly: false,
    apiError: false,
    message: null,
  };
}
