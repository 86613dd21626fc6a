import type { ModelAnswer } from "#lib/agent/model.ts";
import { NO_USAGE } from "#lib/agent/usage.ts";
import { isObject } from "#lib/json-text.ts";
import { clipped } from "#lib/utf8.ts";

export type Failure = Extract<ModelAnswer, { kind: "failure" }>;

/** Carries a failure out of the depths of a request; it never leaves a model. */
export class ProviderFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.problem);
    this.failure = failure;
  }
}

/** A failure that another try does not help, unless `over` says otherwise. */
export function failure(problem: string, over: Partial<Omit<Failure, "kind" | "problem">> = {}): Failure {
  return {
    kind: "failure",
    problem,
    overflow: false,
    transient: false,
    retryAfterMs: null,
    usage: null,
    ...over,
  };
}

const PROBLEM_MAX = 300;
/** What is shorter is a word that a local server wants to see in the place of a key. */
const SECRET_MIN = 6;

/** The text on one line, bounded, without control characters and with no secret in it. */
export function oneLine(text: string, secrets: readonly string[] = [], max = PROBLEM_MAX): string {
  // Anything longer is cut in the end; 64 KiB are kept until then so that a secret is never cut in half.
  const known = secrets
    .filter((secret) => secret.length >= SECRET_MIN)
    .reduce((told, secret) => told.replaceAll(secret, "[key]"), text.slice(0, 65_536));
  const line = known
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return clipped(line, max);
}

/**
 * An answer with a status other than 2xx. Worth asking again: too many requests, a timeout, a server's own error. A conversation
 * that was too large was read by no model, so it has used nothing.
 */
export function statusFailure(answer: {
  status: number;
  statusText: string;
  location: string | null;
  body: string;
  retryAfterMs: number | null;
}): Failure {
  const { status, body, location } = answer;
  const said = saidIn(body);
  const moved = location === null || status < 300 || status > 399 ? "" : ` to ${location}`;
  const told = `HTTP ${status}${answer.statusText === "" ? "" : ` ${answer.statusText}`}${moved}`;
  const overflow = status === 413 || ([400, 422, 500].includes(status) && isOverflow(body));
  return failure(said === "" ? told : `${told}: ${said}`, {
    overflow,
    transient: [408, 429].includes(status) || (status >= 500 && !overflow),
    retryAfterMs: answer.retryAfterMs,
    usage: overflow ? NO_USAGE : null,
  });
}

const OVERFLOW = [
  /context[\s_-]*(length|window|size|limit)/i,
  /maximum context/i,
  /(prompt|input|request|conversation)[^.]{0,40} (too long|too large|exceeds?)/i,
  /too many (input )?tokens/i,
  /reduce the length of the (messages|(input )?prompt)/i,
  /max(imum)?[\s_-]+(prompt|input|message|model)[\s_-]+(length|tokens)/i,
  /range of input length should be/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
];

/** Does it say that the conversation is too large? Each server has words of its own for it. */
export function isOverflow(text: string): boolean {
  const start = text.slice(0, 4096);
  return OVERFLOW.some((words) => words.test(start));
}

/** What a server says in the body of an error: its message, or the words of a web page. */
export function saidIn(body: string): string {
  const message = messageIn(parsed(body));
  if (message !== null) return message;
  const start = body.slice(0, 4096);
  return /<title[^>]*>([^<]{1,200})/i.exec(start)?.[1] ?? start.replace(/<[^>]*>/g, " ");
}

/** The message of an error in any of the shapes that servers use. */
export function messageIn(value: unknown, depthMax = 4): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  if (depthMax === 0) return null;
  if (Array.isArray(value)) return messageIn(value[0], depthMax - 1);
  if (!isObject(value)) return null;
  for (const key of ["error", "message", "detail", "msg", "type"]) {
    const message = messageIn(value[key], depthMax - 1);
    if (message !== null) return message;
  }
  return null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A web page or plain words are no less an answer.
    return null;
  }
}
