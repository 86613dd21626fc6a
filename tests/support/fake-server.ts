import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Model, RequestPurpose } from "#lib/agent/model.ts";

export type Seen = { path: string; headers: http.IncomingHttpHeaders; body: Record<string, unknown> };
export type Handler = (seen: Seen, response: http.ServerResponse) => unknown;

/** A server on loopback that keeps what it was sent. */
export type FakeServer = {
  url: string;
  seen: Seen[];
  /** Answers for the next requests, one each, in the place of the usual ones. */
  instead: Handler[];
  /** What the next request is for: a real server is not told. */
  purpose: RequestPurpose;
  close(): Promise<void>;
};

export async function startServer(
  answer: (seen: Seen, response: http.ServerResponse, fake: FakeServer) => unknown,
): Promise<FakeServer> {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const seen = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text || "{}") };
    fake.seen.push(seen);
    const instead = fake.instead.shift();
    await (instead === undefined ? answer(seen, response, fake) : instead(seen, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const fake: FakeServer = {
    url: `http://127.0.0.1:${port}`,
    seen: [],
    instead: [],
    purpose: "turn",
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return fake;
}

/** The model, with the server told what each request is for. */
export function tellingPurpose(fake: FakeServer, model: Model): Model {
  return {
    ...model,
    ask: (request, watch) => {
      fake.purpose = request.purpose;
      return model.ask(request, watch);
    },
  };
}

/** Begins an event stream. */
export function openStream(response: http.ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
}

export function sendError(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
