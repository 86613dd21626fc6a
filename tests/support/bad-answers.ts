import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { anthropicEvent } from "./fake-anthropic.ts";
import { openaiDelta } from "./fake-openai.ts";
import { type Handler, openStream, sendError } from "./fake-server.ts";
import { KEY } from "./three-models.ts";

/** The pieces of an answer in one dialect. */
export type Pieces = {
  start: string;
  text(text: string): string;
  /** The beginning of a call and pieces of its arguments. */
  call(id: string, ...pieces: string[]): string;
  end: string;
  error: object;
};

export const PIECES: Record<"openai-compatible" | "anthropic", Pieces> = {
  "openai-compatible": {
    start: openaiDelta({ role: "assistant", content: "" }),
    text: (content) => openaiDelta({ content }),
    call: (id, ...parts) =>
      openaiDelta({ tool_calls: [{ index: 0, id, type: "function", function: { name: "fs_read" } }] }) +
      parts
        .map((text) => openaiDelta({ tool_calls: [{ index: 0, function: { arguments: text } }] }))
        .join(""),
    end: `${openaiDelta({}, "stop")}data: [DONE]\n\n`,
    error: { error: { message: "The engine is overloaded", code: 503 } },
  },
  anthropic: {
    start:
      anthropicEvent({ type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } }) +
      anthropicEvent({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    text: (text) =>
      anthropicEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    call: (id, ...parts) =>
      anthropicEvent({
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id, name: "fs_read", input: {} },
      }) +
      parts
        .map((partial_json) =>
          anthropicEvent({
            type: "content_block_delta",
            index: 1,
            delta: { type: "input_json_delta", partial_json },
          }),
        )
        .join(""),
    end:
      anthropicEvent({ type: "message_delta", delta: { stop_reason: "end_turn" } }) +
      anthropicEvent({ type: "message_stop" }),
    error: { type: "error", error: { type: "overloaded_error", message: "The engine is overloaded" } },
  },
};

/** A whole answer as an event stream. */
export function sends(...events: string[]): Handler {
  return (_, response) => {
    openStream(response);
    response.end(events.join(""));
  };
}

/** Part of an answer, and then the connection breaks. */
export function cut(...events: string[]): Handler {
  return (_, response) => {
    openStream(response);
    response.write(events.join(""), () => setTimeout(() => response.destroy(), 20));
  };
}

export function page(status: number, type: string, body: string): Handler {
  return (_, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };
}

export function refuses(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return (_, response) => sendError(response, status, body, headers);
}

const HTML = `<!doctype html><html><head><title>Welcome to
  the proxy</title></head><body><p>${"x".repeat(100_000)}</p></body></html>`;

type Expected = { problem: RegExp; transient?: boolean; overflow?: boolean; retryAfterMs?: number };

/** How a server fails, and what is to come of it. */
export function badAnswers(of: Pieces): Record<string, { answer: Handler; expected: Expected }> {
  const broken = { transient: true };
  return {
    "a web page": {
      answer: page(200, "text/html; charset=utf-8", HTML),
      expected: {
        problem: /answered with text\/html, not with a stream.*base_url right\? Welcome to the proxy$/,
      },
    },
    "a web page with a status": {
      answer: page(502, "text/html", HTML),
      expected: { problem: /HTTP 502 Bad Gateway: Welcome to the proxy$/, ...broken },
    },
    "another type of content": {
      answer: page(200, "application/octet-stream", "\u0000\u0001binary"),
      expected: { problem: /answered with application\/octet-stream, not with a stream/ },
    },
    "a compressed answer": {
      answer: (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
        response.end(gzipSync(of.start + of.text("Hi") + of.end));
      },
      expected: { problem: /answered compressed, which it was asked not to do$/ },
    },
    "plain words": {
      answer: page(200, "text/plain", "no model loaded"),
      expected: { problem: /the answer holds no (choices|message)$/, ...broken },
    },
    "another protocol": {
      answer: (_, response) => {
        response.socket?.write(
          "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
        );
      },
      expected: { problem: /answered HTTP 101, which nobody asked for$/ },
    },
    "an event of lines without end": {
      answer: (_, response) => {
        openStream(response);
        const line = `data: ${"x".repeat(1024 * 1024)}\n`;
        response.end(line.repeat(33));
      },
      expected: { problem: /the answer holds an event of more than 32 MB$/ },
    },
    "more than a transcript's line can hold, one control character in six bytes": {
      answer: sends(
        of.start,
        ...Array.from({ length: 6 }, () => of.text("\u0001".repeat(1024 * 1024))),
        of.end,
      ),
      expected: { problem: /the answer does not end: given up after 32 MB$/ },
    },
    "calls whose arguments are too large together": {
      answer: (_, response) => {
        openStream(response);
        const half = "a".repeat(4_900_000);
        for (const id of ["a", "b", "c", "d"]) response.write(of.call(id, `{"a":"${half}`, `${half}"}`));
        response.end(of.end);
      },
      expected: {
        problem: /the (answer does not end: given up after 32|arguments of one call are larger than 10) MB$/,
      },
    },
    "an empty answer": {
      answer: sends(),
      expected: { problem: /the answer holds no (choices|message)$/, ...broken },
    },
    "half a stream": {
      answer: cut(of.start, of.text("Half an ans")),
      expected: { problem: /the connection broke off$/, ...broken },
    },
    "half an event": {
      answer: sends(of.start, of.text("Half an ans").slice(0, -20)),
      expected: { problem: /the answer holds what is no JSON: "\{/, ...broken },
    },
    "a stream without its end": {
      answer: sends(of.start, of.text("Half an answer")),
      expected: { problem: /the answer ended before it was complete$/, ...broken },
    },
    "a garbage line": {
      answer: sends(of.start, "data: {{{garbage\n\n", of.text("x"), of.end),
      expected: { problem: /the answer holds what is no JSON: "\{\{\{garbage"$/, ...broken },
    },
    "an event that is a number": {
      answer: sends(of.start, "data: 17\n\n", of.end),
      expected: { problem: /the stream holds an event that is no object$/ },
    },
    "an error in the middle": {
      answer: sends(of.start, of.text("Hm"), `data: ${JSON.stringify(of.error)}\n\n`),
      expected: { problem: /the server broke off with an error: The engine is overloaded$/, ...broken },
    },
    "an error with status 200": {
      answer: refuses(200, of.error),
      expected: { problem: /the server broke off with an error: The engine is overloaded$/, ...broken },
    },
    "too many requests": {
      answer: refuses(429, { error: "slow down" }, { "retry-after": "86400" }),
      expected: {
        problem: /HTTP 429 Too Many Requests: slow down \(the server asks for a wait of 86400 s/,
        retryAfterMs: 86_400_000,
        ...broken,
      },
    },
    "an own code for overload": {
      answer: refuses(529, of.error),
      expected: { problem: /HTTP 529.*: The engine is overloaded$/, ...broken },
    },
    "a wrong key, told back": {
      answer: refuses(401, { error: { message: `Incorrect API key ${KEY}, or ${KEY}!` } }),
      expected: { problem: /HTTP 401 Unauthorized: Incorrect API key \[key\], or \[key\]!$/ },
    },
    "a conversation too large": {
      answer: refuses(400, { error: { message: "This model's maximum context length is 4096 tokens." } }),
      expected: { problem: /HTTP 400 Bad Request: This model/, overflow: true },
    },
    "a request too large": {
      answer: page(413, "text/plain", ""),
      expected: { problem: /HTTP 413 Payload Too Large$/, overflow: true },
    },
    "an error of many lines": {
      answer: page(500, "text/plain", `\u001b[31mTraceback\u001b[0m\n  at line 1\n${"y".repeat(5000)}`),
      expected: { problem: /HTTP 500 Internal Server Error: Traceback at line 1 y+…$/, ...broken },
    },
    "a redirect": {
      answer: (_, response) => {
        response.writeHead(308, { location: "https://elsewhere.example/v1" });
        response.end();
      },
      expected: { problem: /HTTP 308 Permanent Redirect to https:\/\/elsewhere\.example\/v1$/ },
    },
    "arguments beyond 10 MB": {
      answer: sends(of.start, of.call("c", ...Array.from({ length: 11 }, () => "x".repeat(1024 * 1024)))),
      expected: { problem: /the arguments of one call are larger than 10 MB$/ },
    },
    "an event without end": {
      answer: endless((response) => response.write("data: ".padEnd(1024 * 1024, "x"))),
      expected: { problem: /the answer holds an event of more than 32 MB$/ },
    },
    "an answer without end": {
      answer: endless((response) => response.write(of.text("y".repeat(1024 * 1024))), of.start),
      expected: { problem: /the answer does not end: given up after 32 MB$/ },
    },
    "more calls than anybody makes": {
      answer: sends(of.start, ...Array.from({ length: 1500 }, (_, i) => of.call(`c${i}`, "{}"))),
      expected: { problem: /the answer holds more than 1000 calls$/ },
    },
  };
}

/** Writes until the other side has had enough. */
function endless(write: (response: ServerResponse) => boolean, start = ""): Handler {
  return (_, response) => {
    openStream(response);
    response.write(start);
    const more = () => {
      while (!response.destroyed && write(response));
    };
    response.on("drain", more);
    response.on("error", () => undefined);
    more();
  };
}
