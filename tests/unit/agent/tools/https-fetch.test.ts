import { execFile, execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpFetch } from "#lib/agent/tools/http-fetch.io.ts";
import { bad, scratch } from "./call-tool.ts";
import { answer, redirect, serve } from "./web-server.ts";

const OPENSSL = "openssl";
const hasOpenssl = spawnSync(OPENSSL, ["version"]).status === 0;
const OPEN = { block_private_ips: false, allowed_domains: [], blocked_domains: [] };

/** A server at `localhost` with a certificate of its own. */
async function secure(handler: http.RequestListener): Promise<{ url: string; certificate: string }> {
  const dir = scratch();
  const [key, certificate] = [path.join(dir, "key.pem"), path.join(dir, "cert.pem")];
  execFileSync(
    OPENSSL,
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"].concat([
      "-addext",
      "subjectAltName=DNS:localhost",
      "-keyout",
      key,
      "-out",
      certificate,
    ]),
    { stdio: "ignore" },
  );
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, handler);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, certificate };
}

/** Fetches in a process of its own: what certificates are trusted is read when one starts. */
async function fetchTrusting(
  certificate: string,
  url: string,
): Promise<{ content: string; isError: boolean }> {
  const script = `
    import { httpFetch } from "#lib/agent/tools/http-fetch.io.ts";
    const tool = httpFetch({ rules: ${JSON.stringify(OPEN)}, markUntrustedOutput: false, bytesMax: 1000 });
    const result = await tool.execute({ url: ${JSON.stringify(url)} }, { signal: new AbortController().signal });
    process.stdout.write(JSON.stringify(result));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", script],
    {
      cwd: path.resolve(import.meta.dirname, "../../../.."),
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    },
  );
  return JSON.parse(stdout);
}

describe.skipIf(!hasOpenssl)(`http_fetch over TLS${hasOpenssl ? "" : " (needs openssl)"}`, () => {
  it("refuses a certificate nobody vouches for", async () => {
    const { url } = await secure(answer("secret"));
    const tool = httpFetch({ rules: OPEN, markUntrustedOutput: false, bytesMax: 1000 });
    expect(await bad(tool, { url })).toBe(`${url} was not fetched: its certificate is self-signed`);
  });

  it("fetches, and says when a redirect left TLS", async () => {
    const { base } = await serve(answer("plain"));
    const { url, certificate } = await secure((request, response) =>
      (request.url === "/" ? answer("secure") : redirect(`${base}/`))(request, response),
    );
    expect(await fetchTrusting(certificate, url)).toMatchObject({
      content: `HTTP 200 text/plain; ${url}\n\nsecure`,
      isError: false,
    });
    expect((await fetchTrusting(certificate, `${url}away`)).content).toBe(
      `HTTP 200 text/plain; ${base}/\n\nplain\n[a redirect led from https to http]`,
    );
  });
});
