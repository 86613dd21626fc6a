import { mkdirSync } from "node:fs";
import { request as rawRequest } from "node:http";
import path from "node:path";
import type { Page } from "@playwright/test";
import { type OpenDb, openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { addToken } from "#lib/access/tokens.io.ts";
import { withStore } from "./dashboard.ts";

/** Tokens by their names; filled when the server of a file is. */
export type Tokens = Record<string, string>;

/** Gives the tests of a file a dashboard that asks for a sign-in, and tokens of these names. */
export function withTokens(names: readonly string[], fill: (data: string) => void = () => undefined): Tokens {
  const tokens: Tokens = {};
  withStore((home) => {
    const data = path.join(home, "data");
    mkdirSync(data, { recursive: true });
    inDatabase(data, ({ db }) => {
      for (const name of names) tokens[name] = addToken(db, name, Date.now());
    });
    fill(data);
    return {
      MECHA_DATA_DIR: data,
      MECHA_RESULTS_DIR: path.join(home, "results"),
      MECHA_REQUIRE_TOKEN: "1",
      MECHA_ZONE: "UTC",
    };
  });
  return tokens;
}

/** Opens the database beside the server that runs on it. */
export function inDatabase<T>(data: string, use: (open: OpenDb) => T): T {
  const open = openDb(path.join(data, DB_FILE));
  try {
    return use(open);
  } finally {
    open.close();
  }
}

let visitors = 0;

/** Lets a page come from an address of its own, so that what one test tries is not held against the next. */
export async function fromItsOwnAddress(page: Page): Promise<void> {
  visitors++;
  await page.setExtraHTTPHeaders({ "X-Forwarded-For": `10.9.${process.pid % 256}.${visitors % 256}` });
}

export async function signInWith(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

type Sent = {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  /** The address that is asked; 127.0.0.1 unless said. */
  at?: string;
};

/** A request with exactly these headers, some of which a browser would not let a page set. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers, body, at = "127.0.0.1" }: Sent,
): Promise<Answer> {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const request = rawRequest(
      { host: at, port, path, method, headers: { ...headers, ...length }, setHost: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
