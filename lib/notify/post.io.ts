import http from "node:http";
import https from "node:https";
import { isTrustProblem, networkProblem } from "#lib/network-problem.ts";
import type { Reply } from "./deliver.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024;

/**
 * Posts JSON once and says how that went; never throws for it. One clock runs over connecting, sending and the answer.
 * Not `fetch`, which refuses an address with a name and a password in it. Nothing of the server's own words is kept but
 * a plain word such as Slack's `invalid_token`: an error page may repeat the address, which may be a secret.
 */
export function postJson(href: string, body: string, timeoutMs = TIMEOUT_MS): Promise<Reply> {
  return new Promise((resolve) => {
    const late: Reply = {
      kind: "none",
      reason: `no answer within ${timeoutMs / 1000} s`,
      transient: true,
    };
    const request = requestTo(href, body);
    const timer = setTimeout(() => end(late), timeoutMs);
    const end = (reply: Reply): void => {
      clearTimeout(timer);
      // What breaks from here on breaks a connection that nobody needs any more.
      request.destroy();
      resolve(reply);
    };
    request.on("error", (error) => end(noAnswer(error)));
    request.on("response", (response) => {
      const status = response.statusCode ?? 0;
      const reply: Reply = {
        kind: "answer",
        status,
        retryAfterMs: retryAfter(response.headers["retry-after"], Date.now()),
        word: null,
      };
      // It was taken: whatever else is said does not change that.
      if (status >= 200 && status < 300) return end(reply);
      readStart(response, (text) => end({ ...reply, word: wordIn(text, href) }));
    });
    request.end(body);
  });
}

function requestTo(href: string, body: string): http.ClientRequest {
  const url = new URL(href);
  const { request } = url.protocol === "https:" ? https : http;
  return request(url, {
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "accept-encoding": "identity",
      "user-agent": "mecha-notify",
    },
  });
}

function readStart(response: http.IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (): void => done(Buffer.concat(chunks).toString("utf8", 0, ANSWER_BYTES_MAX));
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_BYTES_MAX) finish();
  });
  response.on("end", finish);
  // An answer that breaks off has told its status already.
  response.on("error", finish);
}

/** A word as machines write them, unless it is a part of the address. */
function wordIn(text: string, href: string): string | null {
  const word = text.trim();
  return /^[a-z]+(_[a-z]+){1,5}$/.test(word) && word.length <= 40 && !href.includes(word) ? word : null;
}

/** Seconds or a date, as ms from `now`; null for neither. */
function retryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** A code and never a message: messages of the runtime may hold what was sent. */
function noAnswer(error: Error): Reply {
  const code = "code" in error ? String(error.code) : "unknown";
  const reason = networkProblem(error) ?? `the request failed: ${code}`;
  return { kind: "none", reason, transient: !isTrustProblem(error) };
}
