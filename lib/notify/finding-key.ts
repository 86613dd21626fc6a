import { createHash } from "node:crypto";

const LENGTH_MAX = 400;

/**
 * A finding's id as it is sent and remembered. Ids hold names that others chose: one that is very long, or that UTF-8
 * cannot hold, is cut or mended and told apart by its hash.
 */
export function findingKey(id: string): string {
  if (id.length <= LENGTH_MAX && Buffer.from(id).toString() === id) return id;
  const hash = createHash("sha256").update(id, "utf16le").digest("hex").slice(0, 16);
  return `${Buffer.from(id.slice(0, LENGTH_MAX - 17)).toString()}~${hash}`;
}
