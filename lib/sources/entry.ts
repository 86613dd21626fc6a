/** Where an entry stands: byte offset of its line, then its place among the entries of that line ("1024:0"). */
export type Cursor = string;

/** How a tool result went. Denied, cancelled and staged are not failures. */
export type ResultState = "ok" | "failed" | "denied" | "cancelled" | "staged";

/** One readable piece of a transcript, the same for every format. `text` is untrusted and always shown as text. */
export type Entry = {
  at: Cursor;
  kind:
    | "prompt" // what a person (or a trigger) asked
    | "text" // what the model said
    | "thinking"
    | "call" // a tool call: `tool` and its arguments as `text`
    | "result" // a tool result: `state`
    | "image" // `text` names it; the bytes are never shown
    | "config" // settings in force from here on
    | "summary" // a compaction, a rewrite, an injected note
    | "outcome" // the counters of a finished run, as text
    | "notice"; // something the reader left out or could not read
  /** RFC 3339 where the format stamps its lines. */
  time: string | null;
  tool: string | null;
  call_id: string | null;
  state: ResultState | null;
  text: string;
  /** Size of the whole text in UTF-16 units; larger than `text.length` when it was cut. */
  full_length: number;
};

/** One page of a transcript. */
export type TranscriptPage = {
  entries: Entry[];
  /** Where the next page starts; null at the end of the file only: a page may be short, or empty, and not the last. */
  next: Cursor | null;
  /** Bytes of the file when it was read. */
  bytes: number;
};
