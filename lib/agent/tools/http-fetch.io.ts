import type { IncomingHttpHeaders } from "node:http";
import { NO_CAPABILITIES, type Tool, type ToolResult } from "#lib/agent/tool.ts";
import { bytes as inBytes, visible } from "#lib/format.ts";
import { clipped } from "#lib/utf8.ts";
import { refusedAddress } from "./address.ts";
import { text } from "./arguments.ts";
import { withDeadline } from "./deadline.io.ts";
import { defineTool, ToolProblem } from "./define-tool.ts";
import { type FetchRules, parseFetchUrl } from "./fetch-rules.ts";
import { binaryKind } from "./file-kind.ts";
import { htmlText } from "./html-text.ts";
import {
  decodeBody,
  fitBytes,
  isHtml,
  isTextType,
  markOf,
  parseContentType,
  saysNothing,
} from "./http-body.ts";
import { type HttpAnswer, httpGet, type Resolve, systemResolve } from "./http-get.io.ts";
import { markOutside } from "./outside-text.ts";

const REDIRECTS_MAX = 5;
const READ_BYTES_MAX = 2_000_000;
const HEADERS = {
  "user-agent": "mecha",
  accept: "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.1",
};

export type HttpFetchOptions = {
  rules: FetchRules;
  markUntrustedOutput: boolean;
  /** Bytes of a page that are given. */
  bytesMax: number;
  resolve?: Resolve;
  /** Why an address may not be connected to; from the rules when left out. */
  refuse?: (address: string) => string | null;
  connectMs?: number;
  /** For the whole call, redirects and all. */
  totalMs?: number;
};

type Fetched = { url: URL; answer: HttpAnswer; redirects: number; leftHttps: boolean };

const args = { url: text("http or https address") };

/** Fetches one page or text by GET. Every address on the way is judged by the rules, where it is connected to. */
export function httpFetch(options: HttpFetchOptions): Tool {
  return defineTool({
    name: "http_fetch",
    description: "GET a web address. HTML comes as plain text with its links.",
    args,
    readOnly: true,
    capabilities: { ...NO_CAPABILITIES, untrusted_input: true, external_send: true },
    run: async ({ url: given }, { signal }) => {
      const shown = visible(clipped(given, 300));
      const first = parseFetchUrl(given.trim(), options.rules, null);
      if (!first.ok) throw new ToolProblem(`${shown} was not fetched: ${first.problem}`);
      const url = first.value;
      const fetched = await withDeadline(signal, options.totalMs ?? 30_000, (both) =>
        follow(url, shown, both, options),
      );
      return told(fetched, options);
    },
  });
}

async function follow(
  first: URL,
  shown: string,
  signal: AbortSignal,
  options: HttpFetchOptions,
): Promise<Fetched> {
  const at: Omit<Fetched, "answer"> = { url: first, redirects: 0, leftHttps: false };
  for (;;) {
    const way = at.redirects === 0 ? shown : `${shown}, after ${at.redirects} redirect(s),`;
    const answer = await get(at.url, signal, options).catch((error: unknown) => {
      throw error instanceof ToolProblem
        ? new ToolProblem(`${way} was not fetched: ${error.message}`)
        : error;
    });
    const location = redirectOf(answer);
    if (location === null) return { ...at, answer };
    if (at.redirects === REDIRECTS_MAX)
      throw new ToolProblem(`${shown} redirects more than ${REDIRECTS_MAX} times; not followed further`);
    // Where it leads is not told: those are a stranger's words, and this result counts as none.
    const next = parseFetchUrl(location, options.rules, at.url);
    if (!next.ok)
      throw new ToolProblem(
        `${way} answers HTTP ${answer.status}, a redirect to ${next.problem}; not followed`,
      );
    at.leftHttps ||= at.url.protocol === "https:" && next.value.protocol === "http:";
    at.redirects += 1;
    at.url = next.value;
  }
}

function get(url: URL, signal: AbortSignal, options: HttpFetchOptions): Promise<HttpAnswer> {
  return httpGet(url, {
    headers: HEADERS,
    refuse: options.refuse ?? (options.rules.block_private_ips ? refusal : () => null),
    resolve: options.resolve ?? systemResolve,
    connectMs: options.connectMs ?? 10_000,
    bodyBytesMax: READ_BYTES_MAX,
    wantsBody: (status, headers) => !isRedirect(status, headers) && mayBeText(headers),
    signal,
  });
}

function refusal(address: string): string | null {
  const kind = refusedAddress(address);
  return kind === null ? null : `${kind}; security.block_private_ips refuses it`;
}

function isRedirect(status: number, headers: IncomingHttpHeaders): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined;
}

function redirectOf({ status, headers }: HttpAnswer): string | null {
  // Headers come as Latin-1; an address with letters beyond ASCII was meant as UTF-8.
  return isRedirect(status, headers) ? Buffer.from(headers.location ?? "", "latin1").toString("utf8") : null;
}

function mayBeText(headers: IncomingHttpHeaders): boolean {
  const content = parseContentType(headers["content-type"]);
  return content === null || isTextType(content.type) || saysNothing(content.type);
}

function told(fetched: Fetched, options: HttpFetchOptions): ToolResult {
  const { url, answer, redirects } = fetched;
  const content = parseContentType(answer.headers["content-type"]);
  const type = content?.type ?? "unknown type";
  const href = clipped(url.href, 1000);
  const head = `HTTP ${answer.status} ${type}; ${href}`;
  const isError = answer.status < 200 || answer.status > 299 || answer.brokeOff !== null;
  if (answer.body === null || !isText(answer.body, type, content?.charset ?? null))
    return { content: `${head}\n\n[${notText(answer)}]`, isError: true, fromOutside: true };
  const html = isHtml(type);
  const raw = decodeBody(answer.body, content?.charset ?? null, type);
  const fitting = fitBytes(html ? htmlText(raw, url.href) : raw, options.bytesMax);
  const notes = notesOf(fetched, fitting.cut);
  const body =
    options.markUntrustedOutput && fitting.text !== ""
      ? markOutside(fitting.text, "a web page")
      : fitting.text;
  return {
    content: [head, "", ...(body === "" ? [] : [body]), ...notes.map((note) => `[${note}]`)].join("\n"),
    isError,
    // The address of a page that was redirected to is a stranger's text too.
    fromOutside: answer.body.length > 0 || redirects > 0,
  };
}

/** Whatever its type says, a body with a NUL character near its start is no text; as a byte UTF-16 is full of them. */
function isText(body: Uint8Array, type: string, charset: string | null): boolean {
  const said = markOf(body) ?? charset ?? "utf-8";
  const head = body.subarray(0, 8192);
  const isWide = said.startsWith("utf-16");
  if (isWide ? decodeBody(head, charset, type).includes("\0") : head.includes(0)) return false;
  return (
    !saysNothing(type) || ((isWide || binaryKind(head) === null) && isPlain(body, isWide ? said : "utf-8"))
  );
}

/** Are all characters what they should be? The last one may have been cut. */
function isPlain(body: Uint8Array, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(body, { stream: true });
    return true;
  } catch (error) {
    // A RangeError for a character set that nobody knows.
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

function notText({ headers, body, cut, brokeOff }: HttpAnswer): string {
  const announced = Number(headers["content-length"] ?? Number.NaN);
  const size = body === null || cut || brokeOff !== null ? announced : body.length;
  return `not text, so not shown; ${Number.isSafeInteger(size) && size >= 0 ? inBytes(size) : "its size is not known"}`;
}

function notesOf({ answer, leftHttps }: Fetched, cutToFit: boolean): string[] {
  const notes: string[] = [];
  if (answer.body?.length === 0) notes.push("the answer has no body");
  if (answer.cut) notes.push(`only the first ${inBytes(READ_BYTES_MAX)} were read`);
  if (cutToFit) notes.push("the text is longer than what is shown");
  if (answer.brokeOff !== null) notes.push(`the answer broke off: ${answer.brokeOff}`);
  if (leftHttps) notes.push("a redirect led from https to http");
  return notes;
}
