import type { NextRequest } from "next/server";
import { rowsInOrder } from "#app/_ui/cards/matrix-order.ts";
import { loadComparison } from "#app/card-loaders.ts";
import { matrixCsv, matrixJson } from "#lib/eval/matrix-export.ts";
import { packMatrix } from "#lib/eval/matrix-pack.ts";
import { paramsOf } from "../params.ts";

const TYPES = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  packed: "text/plain; charset=utf-8",
} as const;

/** The cases of a comparison: those that its address shows as `csv` or `json`, or all of them `packed` for the page. */
export async function GET(request: NextRequest): Promise<Response> {
  const params = paramsOf(request);
  const format = params.format;
  if (format !== "csv" && format !== "json" && format !== "packed") {
    return answer("format is csv, json or packed\n", 400);
  }
  const { ask, view, problems } = await loadComparison(params);
  if (view === null) return answer(`${problems.join("\n") || "name the cards"}\n`, 404);
  const { matrix, ranked } = view;
  const headers = { "Content-Type": TYPES[format], "Cache-Control": "no-store" };
  if (format === "packed") return new Response(packMatrix(matrix), { headers });
  const rows = rowsInOrder(matrix, ranked, ask);
  const text = format === "csv" ? matrixCsv(matrix, rows, 0, ranked) : matrixJson(matrix, rows, 0, ranked);
  const disposition = `attachment; filename="mecha-cases.${format}"`;
  return new Response(text, { headers: { ...headers, "Content-Disposition": disposition } });
}

function answer(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
