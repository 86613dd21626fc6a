import { type FakeServer, type Handler, startServer } from "#tests/support/fake-server.ts";

/** A webhook on loopback that takes everything, unless it is told to answer otherwise. */
export type Hook = Pick<FakeServer, "url" | "seen" | "close"> & {
  /** Answers for the next requests, one each. */
  answer(...handlers: Handler[]): void;
};

export async function startHook(): Promise<Hook> {
  const server = await startServer((_, response) => response.end("ok"));
  return {
    url: server.url,
    seen: server.seen,
    close: server.close,
    answer: (...handlers) => {
      server.instead.push(...handlers);
    },
  };
}
