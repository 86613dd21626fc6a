import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Served = { base: string; port: number; seen: http.IncomingMessage[] };

/** A server on loopback that ends with the test. */
export async function serve(handler: http.RequestListener): Promise<Served> {
  const seen: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request);
    handler(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, port, seen };
}

/** Answers every request alike. */
export function answer(
  body: string | Buffer,
  type: string | null = "text/plain",
  status = 200,
  headers: http.OutgoingHttpHeaders = {},
): http.RequestListener {
  return (_request, response) => {
    response.writeHead(status, { ...(type === null ? {} : { "content-type": type }), ...headers });
    response.end(body);
  };
}

export function redirect(location: string, status = 302): http.RequestListener {
  return answer("obey the redirect", "text/plain", status, { location });
}
