import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#db/client.ts";
import { listDiagnoses } from "#lib/diagnose/proposals.io.ts";
import { agentHome } from "#tests/support/agent-home.ts";
import { type Ran, runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { failingHome, mechaHome } from "#tests/support/store-homes.ts";
import { triggerHome } from "#tests/support/trigger-home.ts";

let home: string;
let remove: () => void;
beforeEach(() => {
  ({ home, remove } = tempHome());
});
afterEach(() => remove());

const mecha = (...argv: string[]) => runCli(["diagnose", ...argv], { home });
const golden = async (name: string, ...argv: string[]) =>
  expectGolden(name, ["diagnose", ...argv], await mecha(...argv), home);

function stored() {
  const { db, close } = openDb(path.join(home, ".mecha", "dashboard", "mecha.db"));
  try {
    return listDiagnoses(db, { limit: 10 });
  } finally {
    close();
  }
}

const BLOCK =
  "PROPOSAL\nclass: config\nchange: max_turns=60\nmetric: cut_short\nrationale: long tasks need room";
const saying = (text: string) => agentHome(home, { otherwise: { text } });

describe("what diagnose says, to the letter", () => {
  test("its help", () => golden("diagnose-help", "--help"));

  test("the brief alone", async () => {
    failingHome(home);
    triggerHome(home);
    await golden("diagnose-dry-run", "--dry-run");
    await golden("diagnose-dry-run-json", "--dry-run", "--json", "--days", "30", "-n", "5");
  });

  test("a proposal, its command, and where it is kept", async () => {
    failingHome(home);
    await golden("diagnose-proposal", "-p", "proposer");
  });

  test.each([
    ["diagnose-declined", "Too few runs to say."],
    ["diagnose-refused", BLOCK.replace("60", "60\u202e")],
    ["diagnose-unparsable", `${BLOCK.replace("cut_short", "speed")}`],
    ["diagnose-prose", BLOCK.replace("config", "prose").replace("max_turns=60", "ask for a plan first")],
    ["diagnose-security", BLOCK.replace("config", "security")],
    ["diagnose-hostile", "── proposal ──\n  rm -rf /\u001b[2J\n\nmecha: all is well"],
  ])("%s", async (name, text) => {
    failingHome(home);
    saying(text);
    await golden(name, "-p", "s");
  });

  test("a run that failed", async () => {
    failingHome(home);
    agentHome(home, { otherwise: { fail: { problem: "the key is wrong" } } });
    await golden("diagnose-failed", "-p", "s");
  });

  test("a model that nobody ran, and a store without runs", async () => {
    mechaHome(home);
    await golden("diagnose-unknown-model", "--model", "nobody", "--dry-run");
    await golden("diagnose-none", "--as-of", "2020-01-01", "-p", "proposer");
  });

  test("no store", () => golden("diagnose-no-store", "-p", "proposer"));
});

describe("diagnose", () => {
  const jsonIn = ({ out }: Ran) => JSON.parse(out) as Record<string, unknown>;

  test("as JSON is one object, the same as what is stored", async () => {
    failingHome(home);
    saying(BLOCK);
    const ran = await mecha("-p", "s", "--json", "--model", "qwen3-moe", "--days", "30");
    expect(ran.code).toBe(0);
    const [kept] = stored();
    const { reading, ...same } = kept ?? {};
    expect(jsonIn(ran)).toEqual({
      schema_version: 1,
      ...same,
      kind: "proposal",
      proposal: {
        class: "config",
        change: "max_turns=60",
        metric: "cut_short",
        rationale: "long tasks need room",
      },
      command: ["mecha", "eval", "--ab-config", "max_turns=60", "eval/cases.jsonl"],
      reason: null,
      stored: true,
    });
    expect(reading?.kind).toBe("proposal");
    expect(kept).toMatchObject({ subject: "qwen3-moe", window: { days: 30, limit: 200 }, reply: BLOCK });
  });

  test.each([
    ["a decline", { text: "No." }, "declined", 0],
    ["a refusal", { text: BLOCK.replace("=60", "=60\u0007") }, "refused", 0],
    ["what cannot be read", { text: "PROPOSAL\nclass: config" }, "unparsable", 0],
    ["a failure", { fail: { problem: "503" } }, "failed", 1],
  ])(
    "stores %s too, and its exit code says only whether the run failed",
    async (_, otherwise, kind, code) => {
      failingHome(home);
      agentHome(home, { otherwise });
      const ran = await mecha("-p", "s");
      expect(ran.code).toBe(code);
      expect(ran.out).not.toContain("mecha eval");
      expect(stored().map((one) => one.reading.kind)).toEqual([kind]);
    },
  );

  test("writes no session", async () => {
    failingHome(home);
    const before = (await runCli(["sessions", "list", "--json", "-n", "500"], { home })).out;
    await mecha("-p", "proposer");
    expect((await runCli(["sessions", "list", "--json", "-n", "500"], { home })).out).toBe(before);
  });

  test("says when it cannot store, and still shows what was said", async () => {
    failingHome(home);
    const ran = await runCli(["diagnose", "-p", "proposer"], {
      home,
      env: { MECHA_DATA_DIR: "/dev/null/x" },
    });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("the diagnosis is not stored: ");
    expect(ran.out).toContain("mecha eval --ab-config max_turns=60 eval/cases.jsonl\n");
  });

  test("names a provider that is not there before it reads a store", async () => {
    failingHome(home);
    const ran = await mecha("-p", "proposr");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('did you mean "proposer"?');
    expect(ran.out).toBe("");
  });

  test.each([
    ["--days", "0"],
    ["-n", "0"],
    ["--model", ""],
    ["--as-of", "soon"],
    ["--bogus", "x"],
  ])("%s %j is wrong usage", async (...argv) => {
    failingHome(home);
    expect((await mecha("--dry-run", ...argv)).code).toBe(2);
  });
});

describe("--dry-run", () => {
  let server: Server;
  let requests = 0;
  beforeEach(async () => {
    requests = 0;
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    agentHome(
      home,
      null,
      `[providers.far]\nkind = "openai-compatible"\nmodel = "far-1"\nbase_url = "${url}"\nmax_retries = 0\n`,
    );
    failingHome(home);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test("asks nobody and stores nothing; without it, one request is made", async () => {
    expect((await mecha("-p", "far", "--dry-run")).code).toBe(0);
    expect(requests).toBe(0);
    expect(stored()).toEqual([]);
    expect((await mecha("-p", "far")).code).toBe(1);
    expect(requests).toBe(1);
    expect(stored()).toHaveLength(1);
  });

  test("needs no provider that works", async () => {
    expect((await mecha("--dry-run")).code).toBe(0);
  });
});
