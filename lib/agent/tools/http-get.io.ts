import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction, TcpNetConnectOpts } from "node:net";
import type { Readable, Transform } from "node:stream";
import { ToolProblem } from "./define-tool.ts";
import { httpProblem } from "./http-problem.ts";

type Address = { address: string; family: number };
/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<Address[]>;

export type HttpGetOptions = {
  headers: Readonly<Record<string, string>>;
  /** Why an address may not be connected to; null: it may. */
  refuse(address: string): string | null;
  resolve: Resolve;
  connectMs: number;
  /** Bytes of the body that are kept, after decompression. */
  bodyBytesMax: number;
  wantsBody(status: number, headers: IncomingHttpHeaders): boolean;
  signal: AbortSignal;
};

export type HttpAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Null: not wanted, so not read. */
  body: Buffer | null;
  /** There was more than is kept. */
  cut: boolean;
  /** Why the body ended before its end; null: it did not. */
  brokeOff: string | null;
};

/** As programs of this machine look names up, its hosts file included. */
export async function systemResolve(hostname: string): Promise<Address[]> {
  const { lookup } = await import("node:dns/promises");
  return await lookup(hostname, { all: true });
}

/**
 * One GET, no redirect followed. The address is judged where it is connected to: the connection takes the very
 * addresses that `refuse` has passed, so a name that changes its answer between two questions gains nothing.
 *
 * @throws {ToolProblem} when no answer came, in words without anything that the other side wrote
 */
export async function httpGet(url: URL, options: HttpGetOptions): Promise<HttpAnswer> {
  try {
    const response = await connect(url, options);
    const status = response.statusCode ?? 0;
    const answer = { status, headers: response.headers, cut: false, brokeOff: null };
    if (!options.wantsBody(status, response.headers)) {
      response.destroy();
      return { ...answer, body: null };
    }
    return { ...answer, ...(await readBody(response, options)) };
  } catch (error) {
    throw new ToolProblem(httpProblem(error, options.signal), { cause: error });
  }
}

async function connect(url: URL, options: HttpGetOptions): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return await new Promise((done, fail) => {
    const asked: RequestOptions & Pick<TcpNetConnectOpts, "autoSelectFamilyAttemptTimeout"> = {
      method: "GET",
      // A connection of its own, closed afterwards.
      agent: false,
      headers: { ...options.headers, "accept-encoding": "gzip, deflate, br" },
      lookup: judgedLookup(options),
      signal: options.signal,
      // Of several addresses each gets this long; the default of 250 ms gives up on far and slow hosts.
      autoSelectFamilyAttemptTimeout: 2500,
    };
    const sent = request(url, asked);
    sent.on("response", done);
    // Without somebody who wants it, an upgrade ends the request in neither an answer nor an error.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new ToolProblem("the server answered with a switch to another protocol"));
    });
    sent.on("close", () => fail(new ToolProblem("the connection was closed without an answer")));
    // Stays on: an error after the answer has begun reaches the body's reader by itself.
    sent.on("error", fail);
    watchConnection(sent, url, options);
    sent.end();
  });
}

function watchConnection(sent: ClientRequest, url: URL, options: HttpGetOptions): void {
  const timer = setTimeout(
    () => sent.destroy(new ToolProblem(`no connection within ${options.connectMs / 1000} s`)),
    options.connectMs,
  );
  const stop = () => clearTimeout(timer);
  sent.once("close", stop);
  sent.once("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", stop);
    socket.once("connect", () => {
      // A second look, at the connection itself: a host that is an address is never looked up.
      const refused = options.refuse(socket.remoteAddress ?? "");
      if (refused !== null) sent.destroy(new ToolProblem(`the host is ${refused}`));
    });
  });
}

function judgedLookup(options: HttpGetOptions): LookupFunction {
  return (hostname, asked, callback) => {
    options.resolve(hostname).then(
      (found) => {
        const refused = found.map(({ address }) => options.refuse(address)).find((kind) => kind !== null);
        const [first] = found;
        if (refused !== undefined) callback(new ToolProblem(`the host's name leads to ${refused}`), "", 0);
        else if (first === undefined) callback(new ToolProblem("the host's name has no address"), "", 0);
        else if (asked.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), "", 0),
    );
  };
}

async function readBody(
  response: IncomingMessage,
  { bodyBytesMax, signal }: HttpGetOptions,
): Promise<Pick<HttpAnswer, "body" | "cut" | "brokeOff">> {
  const chunks: Buffer[] = [];
  let left = bodyBytesMax;
  let brokeOff: string | null = null;
  try {
    // Decompression gives its output in pieces too, so a small body that swells to gigabytes stops here.
    for await (const chunk of await decoded(response)) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch (error) {
    brokeOff = httpProblem(error, signal);
  } finally {
    response.destroy();
  }
  return { body: Buffer.concat(chunks), cut: left < 0, brokeOff };
}

/** How often an answer may be packed into itself. */
const CODINGS_MAX = 3;

async function decoded(response: IncomingMessage): Promise<Readable> {
  const named = (response.headers["content-encoding"] ?? "")
    .split(",")
    .map((one) => one.trim().toLowerCase());
  const codings = named.filter((one) => UNPACKABLE.test(one) || PACKED_OTHERWISE.test(one));
  if (codings.length === 0) return response;
  if (codings.length > CODINGS_MAX || codings.some((one) => PACKED_OTHERWISE.test(one)))
    throw new ToolProblem("compressed in a way that was not asked for");
  const start = await beginning(response);
  // An answer without a body may say how the body would have been packed.
  if (start === null) return response;
  const { pipeline } = await import("node:stream");
  // The last one named was put on last.
  const unpackers = await Promise.all(
    codings.toReversed().map((coding, index) => unpacker(coding, index === 0 ? start : null)),
  );
  // The error of each, if any, destroys the next, whose reader meets it there.
  return unpackers.reduce<Readable>((body, next) => pipeline(body, next, () => undefined), response);
}

const UNPACKABLE = /^((x-)?gzip|deflate|br)$/;
/**
 * What else an answer may be packed in. Any other word is none, and says nothing of the body: servers put the character
 * set there, or how the file was once sent to them.
 */
const PACKED_OTHERWISE =
  /^((x-)?compress|zstd|dcb|dcz|exi|pack200-gzip|(x-)?(bzip2?|xz|lzma|zip|snappy|lz4))$/;

async function unpacker(coding: string, start: Buffer | null): Promise<Transform> {
  const { createBrotliDecompress, createInflateRaw, createUnzip } = await import("node:zlib");
  if (coding === "br") return createBrotliDecompress();
  return coding === "deflate" && start !== null && isBare(start) ? createInflateRaw() : createUnzip();
}

/** The first bytes of a body, which stay in it; null: there are none. */
async function beginning(response: IncomingMessage): Promise<Buffer | null> {
  // Where nothing more will come, nothing more would be told either.
  if (response.destroyed || response.readableEnded) return null;
  await new Promise<void>((resolve, reject) => {
    response.once("readable", resolve).once("end", resolve).once("close", resolve).once("error", reject);
  });
  const start: Buffer | null = response.read();
  if (start !== null) response.unshift(start);
  return start;
}

/** By `deflate` some servers mean the compressed bytes without the head and the sum around them. */
function isBare(start: Buffer): boolean {
  const [first = 0, second = null] = start;
  if (first === 0x1f && second === 0x8b) return false;
  const isHead = (first & 0x8f) === 8 && (second === null || (first * 256 + second) % 31 === 0);
  return !isHead;
}
