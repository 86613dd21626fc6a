import { NO_CAPABILITIES, type Tool, type ToolResult, toolError, toolText } from "#lib/agent/tool.ts";
import type { SearchConfig } from "#lib/config/config.ts";
import { counted } from "#lib/format.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { choice, optional, text, whole } from "./arguments.ts";
import { withDeadline } from "./deadline.io.ts";
import { defineTool, ToolProblem } from "./define-tool.ts";
import { httpGet, systemResolve } from "./http-get.io.ts";
import { markOutside } from "./outside-text.ts";
import { parseSearchResults, type SearchResult, searchText, silentEngines } from "./search-results.ts";

const RESULTS_MAX = 20;
const BRAVE = "https://api.search.brave.com";
/** Results that Brave gives to one question at most. */
const BRAVE_PAGE = 20;

export type WebSearchOptions = {
  /** In the order they are tried. */
  backends: readonly SearchConfig[];
  env: Readonly<Record<string, string | undefined>>;
  markUntrustedOutput: boolean;
  totalMs?: number;
};

/** `deep` reads a second page of results, gives up to twice as many, and longer pieces of each. */
type Wanted = { query: string; results: number; pages: number; snippetMax: number };

const args = {
  query: text("what to look for"),
  limit: optional(whole("most results, 8 when left out", 1, RESULTS_MAX)),
  depth: optional(choice("deep: twice as many results, with longer excerpts", ["quick", "deep"])),
};

/**
 * Asks the configured search services in their order until one answers. They may stand on this machine: the person
 * chose their addresses, so the rules for fetched addresses are not asked.
 */
export function webSearch(options: WebSearchOptions): Tool {
  return defineTool({
    name: "web_search",
    description: "Search the web. Gives numbered titles, addresses and excerpts.",
    args,
    readOnly: true,
    capabilities: { ...NO_CAPABILITIES, untrusted_input: true, external_send: true },
    run: async ({ query, limit, depth }, { signal }) => {
      if (query.trim() === "") return toolError("web_search: `query` is empty");
      const deep = depth === "deep";
      const results = (limit ?? 8) * (deep ? 2 : 1);
      const wanted = { query, results, pages: deep ? 2 : 1, snippetMax: deep ? 1000 : 300 };
      return await firstAnswer(wanted, options, signal);
    },
  });
}

async function firstAnswer(
  wanted: Wanted,
  options: WebSearchOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const problems: string[] = [];
  for (const [i, backend] of options.backends.entries()) {
    try {
      return told(await resultsOf(backend, wanted, options, signal), wanted, options);
    } catch (error) {
      if (!(error instanceof ToolProblem)) throw error;
      problems.push(`search service ${i + 1} (${backend.kind}): ${error.message}`);
      if (signal.aborted) break;
    }
  }
  return toolError(`nothing was searched. ${problems.join("; ")}`);
}

async function resultsOf(
  backend: SearchConfig,
  wanted: Wanted,
  options: WebSearchOptions,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const found: SearchResult[] = [];
  for (let page = 0; page < wanted.pages; page += 1) {
    const { url, headers } = question(backend, wanted, page, options.env);
    const results = await withDeadline(signal, options.totalMs ?? 30_000, (both) =>
      ask(backend.kind, url, headers, both),
    ).catch((error: unknown) => {
      // The first page is an answer already.
      if (page > 0 && error instanceof ToolProblem && !signal.aborted) return [];
      throw error;
    });
    found.push(...results);
    if (results.length === 0 || found.length >= wanted.results) break;
  }
  return found;
}

type Question = { url: URL; headers: Record<string, string> };

function question(
  backend: SearchConfig,
  { query, results }: Wanted,
  page: number,
  env: WebSearchOptions["env"],
): Question {
  switch (backend.kind) {
    case "searxng": {
      if (backend.base_url === null) throw new ToolProblem("it has no base_url");
      const url = under(backend.base_url, "search");
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      if (page > 0) url.searchParams.set("pageno", String(page + 1));
      return { url, headers: {} };
    }
    case "brave": {
      const key = backend.api_key ?? (backend.api_key_env === null ? undefined : env[backend.api_key_env]);
      if (!key)
        throw new ToolProblem("it has no key: set api_key_env to the name of a variable that holds one");
      if (!/^[\x21-\x7e]+$/.test(key))
        throw new ToolProblem("its key holds characters that no header can carry");
      const url = under(backend.base_url ?? BRAVE, "res/v1/web/search");
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(Math.min(results, BRAVE_PAGE)));
      if (page > 0) url.searchParams.set("offset", String(page));
      return { url, headers: { "x-subscription-token": key } };
    }
    default:
      return backend.kind satisfies never;
  }
}

function under(base: string, path: string): URL {
  const folder = base.endsWith("/") ? base : `${base}/`;
  const url = URL.canParse(path, folder) ? new URL(path, folder) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ToolProblem("its base_url is no http address");
  return url;
}

/** A redirect is not followed: it could carry the key to somebody else. */
async function ask(
  kind: SearchConfig["kind"],
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const answer = await httpGet(url, {
    headers: { ...headers, accept: "application/json", "user-agent": "mecha" },
    refuse: () => null,
    resolve: systemResolve,
    connectMs: 10_000,
    bodyBytesMax: 4_000_000,
    wantsBody: (status) => status === 200,
    signal,
  });
  if (answer.body === null)
    throw new ToolProblem(`it answered HTTP ${answer.status}${advice(kind, answer.status)}`);
  if (answer.brokeOff !== null) throw new ToolProblem(answer.brokeOff);
  if (answer.cut) throw new ToolProblem("its answer is too long");
  const json = parseJsonText(answer.body.toString("utf8"));
  const results = json.ok ? parseSearchResults(kind, json.value) : null;
  if (!json.ok || results === null) throw new ToolProblem("its answer is not the JSON of search results");
  const silent = results.length === 0 ? silentEngines(kind, json.value) : 0;
  if (silent > 0)
    throw new ToolProblem(`it found nothing, and ${counted(silent, "engine")} that it asked did not answer`);
  return results;
}

function advice(kind: SearchConfig["kind"], status: number): string {
  if (kind === "searxng" && status === 403) return "; allow the format json in its settings (search.formats)";
  if (status === 401 || status === 403) return "; is the key right?";
  return status === 429 ? "; too many questions in a short time" : "";
}

function told(results: readonly SearchResult[], wanted: Wanted, options: WebSearchOptions): ToolResult {
  if (results.length === 0) return toolText("no results");
  const listed = searchText(results, wanted.results, wanted.snippetMax);
  return {
    content: options.markUntrustedOutput ? markOutside(listed, "search results") : listed,
    isError: false,
    fromOutside: true,
  };
}
