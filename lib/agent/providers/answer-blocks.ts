import type { Block, Message } from "#lib/transcript/record.ts";
import { parseArguments } from "./tool-arguments.ts";

/** What a provider sent of one call. */
export type RawCall = { id: string; name: string; arguments: string };

/**
 * The calls as blocks, with ids that are in the conversation once: two calls with one id could not be told apart by
 * their results, and a provider would refuse the conversation. The first keeps its id.
 */
export function callBlocks(
  calls: readonly RawCall[],
  messages: readonly Message[],
): { blocks: Block[]; malformed: number[] } {
  const taken = new Set(
    messages.flatMap(({ content }) => content.flatMap((one) => (one.type === "tool_use" ? [one.id] : []))),
  );
  const malformed: number[] = [];
  const blocks = calls.map((call, i): Block => {
    const { input, malformed: isMalformed } = parseArguments(call.arguments);
    if (isMalformed) malformed.push(i);
    const id = freeId(call.id.trim() === "" ? "call" : call.id, taken);
    taken.add(id);
    return { type: "tool_use", id, name: call.name, input };
  });
  return { blocks, malformed };
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let n = 2;
  while (taken.has(`${wanted}_${n}`)) n += 1;
  return `${wanted}_${n}`;
}
