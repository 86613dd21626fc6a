import { createHash } from "node:crypto";

const NAME_MAX = 64;
const DIGEST = 8;

/**
 * The name under which a model is told of a server's tool: `server__tool`, or the tool's own. Providers take 1 to 64 of
 * letters, digits, `_` and `-`; any other character becomes `_`, and a longer name keeps its start and ends in eight
 * digits of its hash, so that one tool has one name on every day. Null: nothing is left to call it by.
 */
export function toolNameOf(server: string, tool: string, prefixed: boolean): string | null {
  const written = prefixed ? `${server}__${tool}` : tool;
  const name = written.replace(/[^a-zA-Z0-9_-]/gu, "_");
  if (name === "" || tool === "") return null;
  if (name.length <= NAME_MAX) return name;
  const digest = createHash("sha256").update(written).digest("hex").slice(0, DIGEST);
  return `${name.slice(0, NAME_MAX - DIGEST - 1)}_${digest}`;
}
