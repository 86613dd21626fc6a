import { isObject } from "#lib/json-text.ts";
import { clipped } from "#lib/utf8.ts";
import { decodeEntities } from "./html-entities.ts";

export type SearchResult = { title: string; url: string; snippet: string };

/** The results in an answer of a SearXNG instance (`results`) or of Brave (`web.results`); null: it holds no list. */
export function parseSearchResults(kind: "searxng" | "brave", answer: unknown): SearchResult[] | null {
  if (!isObject(answer)) return null;
  const holder = kind === "searxng" ? answer : answer.web;
  // Brave leaves `web` out when nothing was found.
  if (kind === "brave" && holder === undefined) return [];
  if (!isObject(holder) || !Array.isArray(holder.results)) return null;
  return holder.results.flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.url !== "string" || !/^https?:\/\//i.test(one.url)) return [];
    const snippet = kind === "searxng" ? one.content : one.description;
    const extra = kind === "brave" && Array.isArray(one.extra_snippets) ? one.extra_snippets : [];
    return [
      {
        title: plain(one.title),
        url: one.url.replace(/\s+/g, "%20").slice(0, 2000),
        snippet: [snippet, ...extra]
          .map(plain)
          .filter((part) => part !== "")
          .join(" … "),
      },
    ];
  });
}

/** How many of the engines that a SearXNG instance asks did not answer it: where none did, it has no results either. */
export function silentEngines(kind: "searxng" | "brave", answer: unknown): number {
  const silent = kind === "searxng" && isObject(answer) ? answer.unresponsive_engines : null;
  return Array.isArray(silent) ? silent.length : 0;
}

/** Numbered, three lines each; snippets are cut at `snippetMax` characters. One address is listed once. */
export function searchText(results: readonly SearchResult[], limit: number, snippetMax: number): string {
  const distinct = [...new Map(results.map((one) => [one.url, one])).values()].slice(0, limit);
  return distinct
    .map(({ title, url, snippet }, i) =>
      [
        `${i + 1}. ${clipped(title, 200) || "(no title)"}`,
        `   ${url}`,
        ...(snippet === "" ? [] : [`   ${clipped(snippet, snippetMax)}`]),
      ].join("\n"),
    )
    .join("\n");
}

/** Tags go, and so does every line break: one result cannot pass for two. */
function plain(value: unknown): string {
  if (typeof value !== "string") return "";
  return decodeEntities(value.slice(0, 10_000).replace(/<[^<>]{0,200}>/g, ""))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
