import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDb } from "#db/client.ts";
import { proposals } from "#db/schema.ts";
import { ensureDemoStore } from "#lib/demo/write-store.io.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { aDocument } from "../unit/verdict/raw.ts";

const NOW = "2026-11-30T10:00:00Z";
const demo = tempHome();
const empty = tempHome();

beforeAll(async () => {
  await ensureDemoStore(path.join(demo.home, ".mecha"), Date.parse(NOW));
  const { db, close } = openDb(path.join(demo.home, ".mecha/dashboard/mecha.db"));
  saveVerdict(db, aDocument("++++++++", "====", { created_at: "2026-11-26T09:00:00Z" }), 1);
  const rest = { brief: "", reply: "", window: "{}", elapsedMs: 1, scripted: false, provider: "local" };
  db.insert(proposals)
    .values({
      id: "6c1f4f5e-0000-4000-8000-000000000001",
      createdAt: "2026-11-27T09:00:00Z",
      kind: "proposal",
      subject: "wren-14b",
      model: "heron-70b",
      changeClass: "config",
      change: "max_turns=60",
      metric: "cut_short",
      ...rest,
    })
    .run();
  close();
});
afterAll(() => {
  demo.remove();
  empty.remove();
});

const review = (...flags: string[]) => runCli(["review", ...flags], { home: demo.home, now: NOW });
const golden = async (name: string, ...flags: string[]) =>
  expectGolden(name, ["review", ...flags], await review(...flags), demo.home);

describe("what mecha review says, to the letter", () => {
  test("of a week that is over", () => golden("review", "--week", "2026-W48"));
  test("as Markdown", () => golden("review-markdown", "--week", "2026-W48", "--markdown"));
  test("of the week so far, in another zone", () => golden("review-so-far", "--zone", "Asia/Kathmandu"));
  test("of a week without runs, long ago", () => golden("review-nothing", "--week", "2024-W10"));
  test("of a week that has not begun", () => golden("review-future", "--week", "2026-W52"));
  test("of what is no week", () => golden("review-no-week", "--week", "2026-W54"));
  test("of a zone that is none", () => golden("review-no-zone", "--zone", "Mars/Olympus"));
  test("of both at once", () => golden("review-both", "--json", "--markdown"));
  test("of itself", () => golden("review-help", "--help"));

  test("as one page, in a file", async () => {
    const argv = ["--week", "2026-W48", "--html", "out/review.html"];
    const ran = await review(...argv);
    const html = readFileSync(path.join(demo.home, "out/review.html"), "utf8");
    expectGolden("review-html", ["review", ...argv], { ...ran, out: html }, demo.home);
  });

  test("where there is no store", async () => {
    const ran = await runCli(["review"], { home: empty.home, now: NOW });
    expectGolden("review-no-store", ["review"], ran, empty.home);
    expect(existsSync(path.join(empty.home, ".mecha"))).toBe(false);
  });
});

test("two reports of one name are refused before either is written", async () => {
  const both = ["--html", "out/same", "--markdown", "out/../out/same"];
  const { code, err } = await review("--week", "2026-W48", ...both);
  expect(code).toBe(2);
  expect(err).toContain("--html and --markdown name the same file");
  expect(existsSync(path.join(demo.home, "out/same"))).toBe(false);
});

describe("the JSON", () => {
  test("has the numbers that the text has", async () => {
    const { out, code } = await review("--week", "2026-W48", "--json");
    const json = JSON.parse(out);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      schema_version: 1,
      as_of: "2026-11-29T23:59:59.999Z",
      week: { key: "2026-W48", complete: true, zone: "UTC", from: "2026-11-23T00:00:00Z" },
      totals: [{ provenance: "recorded", runs: 108, sessions: 48, runs_before: 633 }],
      verdicts: [{ outcome: "accept" }],
      proposals: [{ change: "max_turns=60", fate: { kind: "not_measured" } }],
    });
    expect(json.models.map(({ model }: { model: string }) => model)).toEqual(["wren-14b", "heron-70b"]);
  });

  test("agrees with sessions health over the same seven days", async () => {
    const argv = ["sessions", "health", "--days", "7", "--as-of", "2026-11-29T23:59:59.999Z", "--json"];
    const health = JSON.parse((await runCli(argv, { home: demo.home, now: NOW })).out);
    const json = JSON.parse((await review("--week", "2026-W48", "--json")).out);
    const wren = health.by_model.find(({ model }: { model: string }) => model === "wren-14b");
    const [model] = json.models;
    expect([model.runs, model.rates.tool_error_rate.rate]).toEqual([
      wren.runs,
      { hits: wren.tool_errors, of: wren.tool_calls },
    ]);
    expect(json.totals[0].runs).toBe(health.runs);
  });

  test("goes with a file of another kind", async () => {
    const { out, err } = await review("--week", "2026-W48", "--json", "--markdown", "both.md");
    expect(JSON.parse(out).week.key).toBe("2026-W48");
    expect(err).toContain("wrote both.md");
    expect(readFileSync(path.join(demo.home, "both.md"), "utf8")).toMatch(/^# Week 2026-W48\n/);
  });
});

test("a database that cannot be used takes the numbers not along", async () => {
  const broken = tempHome();
  await ensureDemoStore(path.join(broken.home, ".mecha"), Date.parse(NOW));
  const env = { MECHA_DATA_DIR: broken.home };
  writeFileSync(path.join(broken.home, "mecha.db"), "this is no database, and long enough to be looked at");
  const ran = await runCli(["review", "--week", "2026-W48"], { home: broken.home, now: NOW, env });
  expect(ran.err).toContain("no verdict or proposal is in this review");
  expect(ran.out).toContain("108 runs in 48 sessions");
  broken.remove();
});
