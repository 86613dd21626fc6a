import type { Parsed } from "#lib/errors.ts";
import { byteOrder, count, modelName } from "#lib/format.ts";
import type { ModelSlice } from "#lib/health/tally.ts";

/**
 * Whose runs are looked at. Without a name the model with the most runs, on a tie the last one in byte order. The same
 * model's runs of two provenances are never mixed: the larger slice is taken, recorded runs on a tie.
 */
export function chooseSubject(slices: readonly ModelSlice[], model: string | null): Parsed<ModelSlice> {
  const asked = model === null ? slices : slices.filter((slice) => slice.model === model);
  const [first] = [...asked].sort(
    (a, b) =>
      b.tally.runs - a.tally.runs ||
      byteOrder(b.model, a.model) ||
      Number(a.provenance === "derived") - Number(b.provenance === "derived"),
  );
  if (first !== undefined) return { ok: true, value: first };
  return { ok: false, problem: model === null || slices.length === 0 ? NO_RUNS : unknown(slices, model) };
}

const NO_RUNS = "there is no finished run to diagnose in what was read";
const NAMED_MAX = 20;

function unknown(slices: readonly ModelSlice[], model: string): string {
  const known = [...new Set(slices.map((slice) => slice.model))].sort(byteOrder);
  const named = known.slice(0, NAMED_MAX).map(modelName);
  const more = known.length > named.length ? ` and ${count(known.length - named.length)} more` : "";
  return `no finished run of the model ${modelName(model)}; there are runs of ${named.join(" · ")}${more}`;
}
