import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { type ReadFamily, readExposition, sampleOf } from "../support/exposition.ts";
import { type Dashboard, expect, test, withStore } from "./dashboard.ts";
import { AS_OF, KNOWN, knownSessions } from "./known-store.ts";
import { type FakeSession, writeStore, writeTriggers } from "./store.ts";

const HOSTILE = [
  'a"b\\c\nd{e="f"} 1',
  "\u001b[31mred\u202e",
  "<script>alert(1)</script>",
  "x".repeat(3000),
  "日本 😀",
];

withStore((home) => {
  writeStore(home, [...knownSessions(), ...HOSTILE.map(hostileSession)]);
  writeTriggers(home, { nightly: 'schedule = "0 2 * * *"\nprompt = "Tidy."\ntimezone = "UTC"\n' }, [
    { trigger: "nightly", started_at: "2026-11-29T02:00:00Z", status: "error", turns: 0, tool_calls: 0 },
  ]);
  return { MECHA_ZONE: "Europe/Zurich" };
});

function hostileSession(model: string, index: number): FakeSession {
  return {
    id: `2026112${index}T150000-0000000c`,
    created_at: `2026-11-2${index}T15:00:00Z`,
    model,
    runs: Array.from({ length: 21 }, () => ({ calls: [{ result: "failed" as const }, {}] })),
  };
}

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");

/** What the command line says of the same store; exit code 1 is that of findings. */
async function cli({ home }: Dashboard, argv: string[]): Promise<Numbers> {
  const env = {
    PATH: process.env.PATH,
    HOME: path.dirname(home),
    MECHA_HOME: home,
    TZ: "UTC",
    MECHA_ZONE: "Europe/Zurich",
    NODE_ENV: "production" as const,
  };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...argv, "--json"], options).catch(
    (error) => error,
  );
  return JSON.parse(stdout);
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of two programs that is compared with itself
type Numbers = any;

async function get(dashboard: Dashboard, address: string): Promise<Response> {
  const response = await fetch(`${dashboard.url}${address}`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response;
}

for (const [query, argv] of [
  [`as_of=${AS_OF}`, []],
  [`as_of=${AS_OF}&days=all`, []],
  [`as_of=${AS_OF}&days=30`, ["--days", "30"]],
  [`as_of=${AS_OF}&days=0.5`, ["--days", "0.5"]],
  [`as_of=${AS_OF}&days=7&model=alpha`, ["--days", "7", "--model", "alpha"]],
  [`as_of=${AS_OF}&source=mecha&zone=Asia/Kathmandu`, ["--source", "mecha", "--zone", "Asia/Kathmandu"]],
  [`as_of=2026-11-20T08:00:00Z&model=nobody`, ["--model", "nobody"]],
] as const) {
  test(`health.json?${query} is what sessions health --json says`, async ({ dashboard }) => {
    const asOf = query.startsWith("as_of=2026-11-20T") ? "2026-11-20T08:00:00Z" : AS_OF;
    const response = await get(dashboard, `/api/health.json?${query}`);
    expect(response.status).toBe(200);
    const said = await response.json();
    expect(said).toEqual(await cli(dashboard, ["sessions", "health", "--as-of", asOf, ...argv]));
  });
}

test("a store that cannot be read is no store of zeros", async ({ dashboard }) => {
  const response = await get(dashboard, "/api/health.json?source=claude-code");
  expect(response.status).toBe(500);
  expect((await response.json()).problem).toMatch(/^store .* \(claude-code\): there is no such folder$/);
  const families = readExposition(await (await get(dashboard, "/metrics?source=claude-code")).text());
  expect(sampleOf(families, "mecha_source_readable", { source: "claude-code" })).toBe(0);
  expect(sampleOf(families, "mecha_findings", { component: "store", severity: "attention" })).toBe(1);
});

test("without a time health.json is of now", async ({ dashboard }) => {
  const before = Date.now();
  const said = await (await get(dashboard, "/api/health.json?days=36500")).json();
  expect(Date.parse(said.window.as_of)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(said.window.as_of) - Date.parse(said.window.since)).toBe(36_500 * 86_400_000);
  const { window: _, ...numbers } = await cli(dashboard, ["sessions", "health", "--days", "36500"]);
  expect(said).toMatchObject(numbers);
});

test("findings.json is what doctor --json says, as of now and as of then", async ({ dashboard }) => {
  const then = await (await get(dashboard, `/api/findings.json?as_of=${AS_OF}`)).json();
  expect(then).toEqual(await cli(dashboard, ["doctor", "--as-of", AS_OF]));
  expect(then.length).toBeGreaterThan(HOSTILE.length);
  const now = await (await get(dashboard, "/api/findings.json")).json();
  expect(now).toEqual(await cli(dashboard, ["doctor"]));
  const other = await (await get(dashboard, "/api/findings.json?source=claude-code")).json();
  expect(other).toEqual(await cli(dashboard, ["doctor", "--source", "claude-code"]));
});

test("metrics hold the same counts, with no two lines alike and no name that acts", async ({ dashboard }) => {
  const response = await get(dashboard, `/metrics?as_of=${AS_OF}&days=all`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  const families = readExposition(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);

  const health = await cli(dashboard, ["sessions", "health", "--as-of", AS_OF]);
  expect(health.by_model).toHaveLength(2 + HOSTILE.length);
  for (const slice of health.by_model.filter(({ model }: Numbers) => /^[\w 日本😀]{1,20}$/u.test(model)))
    expectCounts(families, slice);
  const alpha = { model: "alpha", provenance: "recorded", window: "all" };
  expect(sampleOf(families, "mecha_tool_calls", alpha)).toBe(KNOWN.alphaCalls);
  expect(sampleOf(families, "mecha_tool_errors", alpha)).toBe(KNOWN.alphaErrors);
  expect(sampleOf(families, "mecha_runs_by_stop_cause", { ...alpha, stop_cause: "max_turns" })).toBe(
    KNOWN.maxTurns,
  );
  for (const name of ["runs", "tool_calls", "tool_errors", "tool_denied"])
    expect(sumOf(families, `mecha_${name}`)).toBe(health[name]);

  const findings = await cli(dashboard, ["doctor", "--as-of", AS_OF]);
  expect(sumOf(families, "mecha_findings")).toBe(findings.length);
  expect(sampleOf(families, "mecha_findings", { component: "triggers", severity: "attention" })).toBe(
    findings.filter(({ component }: Numbers) => component === "triggers").length,
  );
  expect(sampleOf(families, "mecha_scan_sessions_read", { source: "mecha" })).toBe(health.sessions_read);
  expect(sampleOf(families, "mecha_source_readable", { source: "mecha" })).toBe(1);
});

function expectCounts(families: ReadFamily[], slice: Numbers): void {
  const labels = { model: slice.model, provenance: slice.provenance };
  const said = (name: string) => sampleOf(families, `mecha_${name}`, labels);
  for (const key of [
    "runs",
    "sessions",
    "turns",
    "tool_calls",
    "tool_errors",
    "tool_denied",
    "compactions",
    "runs_priced",
  ])
    expect([key, said(key)]).toEqual([key, slice[key]]);
  expect(said("runs_cut_short")).toBe(slice.cut_short);
  expect(said("runs_ended_on_failed_call")).toBe(slice.ended_on_failed_call);
  expect(said("cost_usd")).toBe(slice.runs_priced === 0 ? undefined : slice.cost_usd);
  for (const [cause, runs] of Object.entries(slice.stop_causes))
    expect(sampleOf(families, "mecha_runs_by_stop_cause", { ...labels, stop_cause: cause })).toBe(runs);
}

function sumOf(families: ReadFamily[], name: string): number {
  const samples = families.find((family) => family.name === name)?.samples ?? [];
  return samples.reduce((sum, { value }) => sum + value, 0);
}

test("the window of metrics is 30 days unless said, and stands in every line it bounds", async ({
  dashboard,
}) => {
  for (const [query, window] of [
    ["", "30d"],
    ["?days=7", "7d"],
    ["?days=all", "all"],
  ]) {
    const families = readExposition(await (await get(dashboard, `/metrics${query}`)).text());
    for (const { name, samples } of families.filter(({ name }) => name.startsWith("mecha_runs")))
      for (const { labels } of samples) expect([name, labels.window]).toEqual([name, window]);
  }
});

const PATHS = ["/api/health.json", "/api/findings.json", "/metrics"];

for (const address of PATHS) {
  test(`${address} reads only`, async ({ dashboard }) => {
    const head = await fetch(`${dashboard.url}${address}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const headers = { Origin: dashboard.url };
      expect((await fetch(`${dashboard.url}${address}`, { method, headers })).status).toBe(405);
    }
  });

  test(`${address} refuses what it does not understand, in one line`, async ({ dashboard }) => {
    for (const query of [
      "as_of=soon",
      "as_of=2026-02-30",
      "zone=Nowhere",
      "source=codex",
      "source=mecha&source=mecha",
      "day=7",
      `source=${"x".repeat(600)}`,
      "%1b%5b31m=1",
    ]) {
      const response = await get(dashboard, `${address}?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      const text = await response.text();
      const line = address === "/metrics" ? text.replace(/\n$/, "") : JSON.parse(text).problem;
      expect(line).toMatch(/^\P{Cc}{10,300}$/u);
    }
  });
}

test("days are refused where they are no number of days", async ({ dashboard }) => {
  for (const days of ["0", "-1", "1e3", "thirty", "36501", "NaN"]) {
    for (const address of ["/api/health.json", "/metrics"])
      expect((await get(dashboard, `${address}?days=${days}`)).status).toBe(400);
  }
  expect((await get(dashboard, "/api/findings.json?days=7")).status).toBe(400);
});
