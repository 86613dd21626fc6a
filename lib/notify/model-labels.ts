import { createHash } from "node:crypto";
import { visible } from "#lib/format.ts";
import { startOf } from "#lib/utf8.ts";

const LENGTH_MAX = 200;

/**
 * A label for each model name, no two the same: two lines with the same labels make a scraper refuse all of them. A name
 * that is short and holds nothing unseen is its own label; any other is cut and made visible, and told apart by its hash.
 */
export function modelLabels(models: Iterable<string>): Map<string, string> {
  const names = new Set(models);
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of names) {
    if (name.length > LENGTH_MAX || visible(name) !== name) continue;
    labels.set(name, name);
    taken.add(name);
  }
  for (const name of names) {
    if (labels.has(name)) continue;
    const label = freeLabel(name, taken);
    labels.set(name, label);
    taken.add(label);
  }
  return labels;
}

function freeLabel(name: string, taken: ReadonlySet<string>): string {
  const hash = createHash("sha256").update(name, "utf16le").digest("hex");
  const start = startOf(visible(startOf(name, LENGTH_MAX)), LENGTH_MAX);
  for (let digits = 8; ; digits += 1) {
    const label = `${start}~${hash.slice(0, digits)}`;
    if (!taken.has(label) || digits >= hash.length) return label;
  }
}
