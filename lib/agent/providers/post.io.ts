import http from "node:http";
import https from "node:https";
import { messageOf } from "#lib/errors.ts";
import { isTrustProblem, networkProblem } from "#lib/network-problem.ts";
import { type Failure, failure, ProviderFailure, saidIn, statusFailure } from "./failure.ts";
import { EventTooLarge, eventData } from "./sse.ts";

/** A request as a provider wants it; the body is JSON. */
export type Post = { url: string; headers: Record<string, string>; body: string };

/** How long a server may say nothing, before its answer and within it: a large prompt takes a small machine minutes. */
const SILENCE_MS = 900_000;
const EVENT_BYTES_MAX = 32 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;

/**
 * Sends a request and gives the events of the answer, parsed. Throws a ProviderFailure for everything that goes wrong,
 * and what the signal throws when it is aborted.
 *
 * Not `fetch`: that gives up after five minutes of silence, follows redirects with the key in hand, and keeps
 * connections which the server has closed by the time a tool has run.
 */
export async function* postForEvents(
  post: Post,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): AsyncGenerator<unknown, void> {
  try {
    const response = await send(post, signal, silenceMs);
    await refuseErrors(response);
    if (isKind(response, "application/json")) yield parse(await readStart(response, EVENT_BYTES_MAX));
    else yield* parsedEvents(response);
  } catch (error) {
    if (signal.aborted) throw error;
    throw error instanceof ProviderFailure ? error : new ProviderFailure(transportFailure(error));
  }
}

async function* parsedEvents(response: http.IncomingMessage): AsyncGenerator<unknown, void> {
  if (!isKind(response, "text/event-stream") && !isKind(response, "text/plain") && kindOf(response) !== "") {
    const said = saidIn((await readStart(response, ERROR_BYTES_MAX)).toString());
    throw new ProviderFailure(
      failure(`answered with ${kindOf(response)}, not with a stream of events; is base_url right? ${said}`),
    );
  }
  for await (const data of eventData(response, EVENT_BYTES_MAX)) {
    if (data.trim() === "[DONE]") return;
    yield parse(data);
  }
}

function parse(data: string | Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    const shown = JSON.stringify(data.toString().slice(0, 80));
    throw new ProviderFailure(failure(`the answer holds what is no JSON: ${shown}`, { transient: true }));
  }
}

function send(post: Post, signal: AbortSignal, silenceMs: number): Promise<http.IncomingMessage> {
  const url = new URL(post.url);
  const { request } = url.protocol === "https:" ? https : http;
  const body = Buffer.from(post.body);
  const headers = {
    ...post.headers,
    accept: "text/event-stream",
    "accept-encoding": "identity",
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, signal, agent: false, timeout: silenceMs });
    // Kept to the end: a connection may still break after the answer was read.
    sent.on("error", reject);
    let answering: http.ClientRequest | http.IncomingMessage = sent;
    sent.on("response", (response) => {
      answering = response;
      resolve(response);
    });
    // Without somebody who wants it, an upgrade ends the request in neither an answer nor an error.
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      reject(new ProviderFailure(failure(`answered HTTP ${response.statusCode}, which nobody asked for`)));
    });
    sent.on("close", () => reject(new Error("the connection was closed without an answer")));
    sent.on("timeout", () => answering.destroy(new Silence(silenceMs)));
    sent.end(body);
  });
}

class Silence extends Error {
  constructor(ms: number) {
    super(`said nothing for ${ms / 1000} s`);
  }
}

async function refuseErrors(response: http.IncomingMessage): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300 && (response.headers["content-encoding"] ?? "identity") === "identity")
    return;
  if (status >= 200 && status < 300) {
    response.destroy();
    throw new ProviderFailure(failure("answered compressed, which it was asked not to do"));
  }
  throw new ProviderFailure(
    statusFailure({
      status,
      statusText: response.statusMessage ?? "",
      location: response.headers.location ?? null,
      body: (await readStart(response, ERROR_BYTES_MAX)).toString(),
      retryAfterMs: retryAfter(response.headers, Date.now()),
    }),
  );
}

/** The first bytes of a body; the rest is not waited for. */
async function readStart(response: http.IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

/** The wait that a server asks for, in ms: milliseconds, seconds or a date. */
function retryAfter(headers: http.IncomingHttpHeaders, now: number): number | null {
  const ms = amount(String(headers["retry-after-ms"] ?? ""));
  const text = headers["retry-after"]?.trim() ?? "";
  const seconds = amount(text);
  if (ms !== null || seconds !== null) return Math.min(ms ?? (seconds ?? 0) * 1000, Number.MAX_SAFE_INTEGER);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function amount(text: string): number | null {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

function kindOf(response: http.IncomingMessage): string {
  return (response.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function isKind(response: http.IncomingMessage, kind: string): boolean {
  return kindOf(response) === kind;
}

/** A connection that failed or broke is worth another try. */
function transportFailure(error: unknown): Failure {
  if (error instanceof EventTooLarge) return failure("the answer holds an event of more than 32 MB");
  return failure(networkProblem(error) ?? messageOf(error), { transient: !isTrustProblem(error) });
}
