import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import { addToken, revokeToken } from "#lib/access/tokens.io.ts";

let top: string;

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), "mecha-sources-"));
  // The bundle makes the demo store beside its own folder: a copy keeps it out of this checkout.
  cpSync("dist", path.join(top, "checkout/dist"), { recursive: true });
  mkdirSync(path.join(top, "home"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function ask(env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(top, "checkout/dist/find-sources.mjs")],
    {
      cwd: top,
      env: { PATH: process.env.PATH, NODE_ENV: "test", HOME: path.join(top, "home"), ...env },
      encoding: "utf8",
    },
  );
  return { status, stderr, plan: status === 0 ? JSON.parse(stdout) : null };
}

test("an empty home gets the demo store, and the places that were looked at are said", () => {
  const { plan, stderr } = ask({ MECHA_SESSION_DIR: path.join(top, "none") });
  const home = path.join(top, "checkout/.demo");
  expect(plan).toEqual({
    host: "127.0.0.1",
    port: 3000,
    loopback: true,
    env: { MECHA_HOME: home, MECHA_SOURCES: "mecha" },
    unset: ["MECHA_SESSION_DIR", "MECHA_TRIGGERS_DIR"],
    showing: `a demo store; no sessions in ${path.join(top, "none")}, ${path.join(top, "home/.claude/projects")}`,
  });
  expect(existsSync(path.join(home, "sessions"))).toBe(true);
  expect(stderr).toBe("");
  // Chosen by name it is no less a demo store.
  const chosen = ask({ MECHA_HOME: home, MECHA_SOURCES: "mecha" }).plan;
  expect(chosen.showing).toMatch(/^a demo store, mecha \/.*\/\.demo\/sessions \(\d+ sessions\)$/);
});

test("one session is enough to be shown instead; a file that is none is not", () => {
  const sessions = path.join(top, "home/.mecha/sessions");
  mkdirSync(sessions, { recursive: true });
  writeFileSync(path.join(sessions, "20261101T080000-0a1b2c3d.jsonl"), "not a session\n");
  expect(ask().plan.showing).toMatch(/^a demo store;/);
  const meta = {
    record: "meta",
    id: "20261101T080000-0a1b2c3d",
    created_at: "2026-11-01T08:00:00Z",
    provider: "p",
    model: "m",
    workspace: "/w",
  };
  writeFileSync(path.join(sessions, "20261101T080000-0a1b2c3d.jsonl"), `${JSON.stringify(meta)}\n`);
  const { plan } = ask();
  expect([plan.env, plan.unset, plan.showing]).toEqual([{}, [], `mecha ${sessions} (1 session)`]);
});

test("a place that cannot be read is said, and stops nothing", () => {
  writeFileSync(path.join(top, "home/.mecha"), "a file");
  const { plan, stderr } = ask({ MECHA_SESSION_DIR: path.join(top, "home/.mecha") });
  expect(stderr).toBe(`mecha: mecha ${path.join(top, "home/.mecha")}: is not a folder\n`);
  expect(plan.showing).toMatch(/^a demo store;/);
});

test("PORT and MECHA_BIND are taken or refused in one line", () => {
  expect(ask({ PORT: "8080", MECHA_BIND: "127.0.0.2" }).plan).toMatchObject({
    port: 8080,
    host: "127.0.0.2",
    loopback: true,
  });
  const refused = ask({ PORT: "eighty" });
  expect([refused.status, refused.stderr.split("\n").length]).toEqual([1, 2]);
  expect(refused.stderr).toMatch(/^mecha: PORT: "eighty" is not a port/);
});

test("an address that others reach needs an access token, and so does who asks for one", () => {
  const needs = "and there is no access token: make one with mecha token add NAME\n";
  for (const MECHA_BIND of ["0.0.0.0", "::", "192.168.1.5", "127.evil.example"]) {
    const { status, stderr } = ask({ MECHA_BIND });
    expect([status, stderr]).toEqual([1, `mecha: others can reach MECHA_BIND=${MECHA_BIND}, ${needs}`]);
  }
  expect(ask({ MECHA_REQUIRE_TOKEN: "1" }).stderr).toBe(
    `mecha: MECHA_REQUIRE_TOKEN=1 asks for a sign-in, ${needs}`,
  );
  expect(ask({ MECHA_BIND: "0.0.0.0", MECHA_REQUIRE_TOKEN: "0" }).status).toBe(1);
  expect(ask({ MECHA_REQUIRE_TOKEN: "yes" }).stderr).toBe(
    'mecha: MECHA_REQUIRE_TOKEN: "yes" is neither 1 nor 0\n',
  );
  expect(existsSync(path.join(top, "home/.mecha"))).toBe(false);
});

test("with a token it starts, also on the demo store; with a revoked one it does not", () => {
  cpSync("db/migrations", path.join(top, "checkout/db/migrations"), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(top, "checkout/node_modules"));
  const dataDir = path.join(top, "data");
  const file = path.join(dataDir, "mecha.db");
  const inDb = (use: (db: Db) => void) => {
    const { db, close } = openDb(file);
    use(db);
    close();
  };
  inDb((db) => addToken(db, "ada", Date.now()));
  const env = { MECHA_BIND: "0.0.0.0", MECHA_DATA_DIR: dataDir };
  const { plan, stderr } = ask(env);
  expect(stderr).toBe("");
  // The invented store has a home of its own; who may come in is asked where the token is.
  expect(plan).toMatchObject({
    loopback: false,
    env: { MECHA_HOME: path.join(top, "checkout/.demo"), MECHA_DATA_DIR: dataDir },
  });
  inDb((db) => revokeToken(db, "ada", Date.now()));
  expect(ask(env).status).toBe(1);
});
