import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDb } from "#db/client.ts";
import { signIn } from "#lib/access/sign-ins.io.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";

let home: string;
let remove: () => void;
beforeEach(() => {
  ({ home, remove } = tempHome());
});
afterEach(() => remove());

const mecha = (now: string, ...argv: string[]) => runCli(argv, { home, now });
const AT = "2026-08-06T12:00:00Z";
const golden = async (name: string, ...argv: string[]) =>
  expectGolden(name, argv, await mecha(AT, ...argv), home);
const data = () => path.join(home, ".mecha/dashboard");

test("a token goes alone to standard output, once, and is stored nowhere", async () => {
  const made = await mecha(AT, "token", "add", "ada");
  expect(made.code).toBe(0);
  expect(made.out).toMatch(/^mecha_[\w-]{43}\n$/);
  const secret = made.out.trim().slice(6);
  expect(made.err).toContain("it is not shown again");
  expect(made.err).not.toContain(secret);
  for (const name of readdirSync(data())) {
    expect(readFileSync(path.join(data(), name)).includes(secret)).toBe(false);
    expect(statSync(path.join(data(), name)).mode & 0o777).toBe(0o600);
  }
  for (const argv of [["list"], ["list", "--json"], ["revoke", "ada", "--json"]])
    expect((await mecha(AT, "token", ...argv)).out).not.toContain(secret);
});

test("as JSON it carries its name", async () => {
  const { out, err } = await mecha(AT, "token", "add", "ci", "--json");
  expect(JSON.parse(out)).toEqual({
    schema_version: 1,
    name: "ci",
    token: expect.stringMatching(/^mecha_[\w-]{43}$/),
  });
  expect(err).toBe("");
});

test("a name is refused before anything is made", async () => {
  for (const name of ["a b", "-", "\u202e", "x".repeat(65)])
    expect([name, (await mecha(AT, "token", "add", "--", name)).code]).toEqual([name, 2]);
  expect(existsSync(data())).toBe(false);
  await golden("token-add-help", "token", "add", "--help");
  await golden("token-help", "token", "--help");
});

test("the list says when each was made and used, and what became of it", async () => {
  await golden("token-list-empty", "token", "list");
  expect(existsSync(data())).toBe(false);
  await mecha("2026-08-01T08:00:00Z", "token", "add", "old");
  const { out } = await mecha("2026-08-02T08:00:00Z", "token", "add", "ada");
  const { db, close } = openDb(path.join(data(), "mecha.db"));
  signIn(db, out.trim(), Date.parse("2026-08-05T09:30:00Z"));
  close();
  await golden("token-revoke", "token", "revoke", "old");
  await golden("token-revoke-again", "token", "revoke", "old");
  await golden("token-revoke-unknown", "token", "revoke", "eve");
  await golden("token-list", "token", "list", "--zone", "Asia/Kathmandu");
  await golden("token-list-json", "token", "list", "--json");
  await golden("token-add-again", "token", "add", "old");
});

test("nothing to revoke says where it looked", async () => {
  await golden("token-revoke-none", "token", "revoke", "ada");
});
