import type { ArgumentPieces } from "./tool-arguments.ts";

export type Call = {
  index: number | null;
  id: string;
  name: string;
  arguments: ArgumentPieces;
  /** Of its arguments. */
  bytes: number;
};

/** What one event says of a call; empty: nothing. */
export type Piece = { index: number | null; id: string; name: string; text: string };

/** The call that a piece belongs to; undefined: a new one. */
export function callFor(calls: readonly Call[], piece: Piece): Call | undefined {
  const { index, id } = piece;
  const known = index === null && id !== "" ? calls.findLast((call) => call.id === id) : undefined;
  const call = known ?? (index === null ? calls.at(-1) : calls.findLast((before) => before.index === index));
  return call === undefined || startsAnother(call, piece) ? undefined : call;
}

/** Servers give parallel calls one index or none, and one id or none; vLLM gave each piece of a call an id of its own. */
function startsAnother(call: Call, { index, id, name, text }: Piece): boolean {
  if (id !== "" && call.id !== "" && id !== call.id) return index === null || name !== "";
  if (name === "" || call.name === "") return false;
  const known = id !== "" && id === call.id;
  if (known && call.arguments.empty) return false;
  return call.arguments.followedBy(text) || (index === null && !known && name !== call.name);
}
