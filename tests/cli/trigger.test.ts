import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { displayWidth } from "#lib/display-width.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { addTrigger, triggerHome, writeLedger } from "#tests/support/trigger-home.ts";

const homes = { empty: tempHome(), full: tempHome() };
beforeAll(() => triggerHome(homes.full.home));
afterAll(() => {
  for (const one of Object.values(homes)) one.remove();
});

describe("what each command says, to the letter", () => {
  test.each<[string, keyof typeof homes, string[]]>([
    ["trigger-help", "empty", ["trigger", "--help"]],
    ["trigger-list-help", "empty", ["trigger", "list", "--help"]],
    ["trigger-show-help", "empty", ["trigger", "show", "--help"]],
    ["trigger-add-help", "empty", ["trigger", "add", "--help"]],
    ["trigger-run-help", "empty", ["trigger", "run", "--help"]],
    ["trigger-tick-help", "empty", ["trigger", "tick", "--help"]],
    ["trigger-runs-help", "empty", ["trigger", "runs", "--help"]],
    ["trigger-list-empty", "empty", ["trigger", "list"]],
    ["trigger-show-none", "empty", ["trigger", "show", "morning"]],
    ["trigger-list", "full", ["trigger", "list"]],
    ["trigger-list-one", "full", ["trigger", "list", "-n", "1", "--zone", "Asia/Kathmandu"]],
    ["trigger-list-json", "full", ["trigger", "list", "--json", "-n", "2"]],
    ["trigger-show", "full", ["trigger", "show", "morning"]],
    ["trigger-show-zone", "full", ["trigger", "show", "morning", "--zone", "Asia/Kathmandu", "-n", "2"]],
    ["trigger-show-json", "full", ["trigger", "show", "morning", "--json", "-n", "2"]],
    ["trigger-show-as-of", "full", ["trigger", "show", "backup", "--as-of", "2026-08-05"]],
    ["trigger-show-idle", "full", ["trigger", "show", "idle"]],
    ["trigger-show-failed", "full", ["trigger", "show", "backup"]],
    ["trigger-show-disabled", "full", ["trigger", "show", "old"]],
    ["trigger-show-gone", "full", ["trigger", "show", "gone"]],
    ["trigger-show-near", "full", ["trigger", "show", "mornin"]],
    ["trigger-show-no-name", "full", ["trigger", "show"]],
    ["trigger-runs", "full", ["trigger", "runs", "morning"]],
    ["trigger-runs-gone", "full", ["trigger", "runs", "gone", "--json"]],
    ["trigger-runs-few", "full", ["trigger", "runs", "morning", "-n", "2", "--zone", "Asia/Kathmandu"]],
    ["trigger-runs-none", "full", ["trigger", "runs", "stuck"]],
    ["trigger-runs-near", "full", ["trigger", "runs", "mornin"]],
    ["trigger-run-near", "full", ["trigger", "run", "mornin"]],
  ])("%s", async (name, at, argv) => {
    const { home } = homes[at];
    expectGolden(name, argv, await runCli(argv, { home }), home);
  });

  test("on a terminal severities have their colour and the table fits", async () => {
    const { home } = homes.full;
    const argv = ["trigger", "show", "morning"];
    const ran = await runCli(argv, { home, answers: [], columns: 95 });
    expectGolden("terminal-trigger-show", argv, ran, home);
    const table = ran.out.split("\n").filter((line) => line.startsWith("2026-08-0"));
    expect(table.length).toBe(6);
    for (const line of table) expect(displayWidth(line)).toBeLessThanOrEqual(95);
  });
});

describe("the advice of the doctor", () => {
  test("each remedy is offered, and runs here when it is wanted", async () => {
    const { home } = homes.full;
    const ran = await runCli(["doctor"], { home, answers: ["n", "y", "n"] });
    expect(ran.asked).toEqual([
      "run mecha trigger run backup ? [y/N] ",
      "run mecha trigger show idle ? [y/N] ",
      "run mecha trigger show morning ? [y/N] ",
    ]);
    expect(ran.out).toContain("remedy: mecha trigger run backup");
    expect(ran.out).toContain("\ntrigger     idle\n");
    expect(ran.ran).toEqual([]);
  });

  test("both read a schedule without a zone in the machine's, whatever zone a reader wants", async () => {
    const { home, remove } = tempHome();
    // Three slots at noon in Kathmandu have passed, and two of them in UTC.
    addTrigger(home, "noon", 'schedule = "0 12 * * *"\nprompt = "p"\ncreated_at = "2026-08-04T13:00:00Z"\n');
    const doctor = (zone: string[]) => runCli(["doctor", ...zone], { home, now: "2026-08-07T07:00:00Z" });
    expect((await doctor([])).code).toBe(0);
    expect((await doctor(["--zone", "Asia/Kathmandu"])).code).toBe(0);
    const env = { MECHA_ZONE: "Asia/Kathmandu" };
    const there = { home, env, now: "2026-08-07T07:00:00Z" };
    expect((await runCli(["doctor"], there)).code).toBe(1);
    const shown = await runCli(["trigger", "show", "noon", "--zone", "UTC"], there);
    expect(shown.out).toContain("next        2026-08-08 06:15, 2026-08-09 06:15, 2026-08-10 06:15 (UTC)\n");
    expect(shown.out).toContain("(in Asia/Kathmandu)");
    expect(shown.out).toContain("has missed at least 3 slots");
    remove();
  });
});

describe("what cannot be used", () => {
  let at: ReturnType<typeof tempHome>;
  beforeEach(() => {
    at = tempHome();
  });
  afterEach(() => at.remove());
  const cli = (...argv: string[]) => runCli(["trigger", ...argv], { home: at.home });
  const dir = () => path.join(at.home, ".mecha", "triggers");

  test.each<[string, string, string]>([
    [
      "a misspelt key",
      'schedule = "@daily"\npromt = "p"\n',
      ':2: unknown key "promt"; did you mean "prompt"?',
    ],
    [
      "a wrong value",
      'schedule = "@daily"\nprompt = "p"\ntimeout = "soon"\n',
      ':3: "timeout" must be a duration',
    ],
    ["no TOML", 'schedule = "@daily"\nprompt = \n', ":2: "],
    [
      "a wrong schedule",
      'prompt = "p"\nschedule = "61 * * * *"\n',
      ':2: "schedule" "61 * * * *" is not a schedule',
    ],
    ["a key in colour", '"\\u001b[31mx" = 1\nschedule = "@daily"\nprompt = "p"\n', ": unknown key"],
  ])("%s: one line with folder, file, line and key, and exit code 1", async (_, text, said) => {
    addTrigger(at.home, "bad", text);
    const ran = await cli("show", "bad");
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err.startsWith(`mecha: ${dir()}/bad.toml${said}`)).toBe(true);
    expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
    expect(ran.err).not.toContain("\u001b");
  });

  test("in the list it is left out, said and part of the exit code; the others stand", async () => {
    addTrigger(at.home, "bad", "schedule = ");
    addTrigger(at.home, "latin", Buffer.from([0xe9]));
    addTrigger(at.home, "good", 'schedule = "@daily"\nprompt = "p"\n');
    const ran = await cli("list");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^mecha: .*\/bad\.toml:1: .*; left out\nmecha: .*\/latin\.toml: .*; left out\n$/);
    expect(ran.out).toMatch(/\ngood +enabled /);
    const json = JSON.parse((await cli("list", "--json")).out);
    expect(json.triggers.map(({ name }: { name: string }) => name)).toEqual(["good"]);
    expect(json.problems).toHaveLength(2);
    // What another file has is none of this one's concern.
    expect(await cli("show", "good")).toMatchObject({ code: 0, err: "" });
  });

  test("a folder that is none, and a ledger that is none", async () => {
    mkdirSync(path.dirname(dir()));
    writeFileSync(dir(), "a file");
    for (const argv of [["list"], ["list", "--json"], ["show", "x"]]) {
      const ran = await cli(...argv);
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err).toMatch(/^mecha: .*\/triggers: ENOTDIR.*\n$/);
    }
    at.remove();
    at = tempHome();
    addTrigger(at.home, "good", 'schedule = "@daily"\nprompt = "p"\n');
    mkdirSync(path.join(dir(), "runs.jsonl"));
    const ran = await cli("show", "good");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("runs.jsonl: not a regular file; left out");
    expect(ran.out).toContain("no row in the ledger");
  });

  test.skipIf(process.getuid?.() === 0)(
    "a file that may not be read (the superuser may read any)",
    async () => {
      chmodSync(addTrigger(at.home, "secret", 'schedule = "@daily"\nprompt = "p"\n'), 0);
      expect((await cli("show", "secret")).err).toMatch(/secret\.toml: EACCES/);
    },
  );

  test("ledger lines that are no row are counted", async () => {
    addTrigger(at.home, "good", 'schedule = "@daily"\nprompt = "p"\n');
    writeLedger(
      at.home,
      [{ trigger: "good", started_at: "2026-08-01T00:00:00Z" }],
      '{"x":1}\n{"trigger":"go',
    );
    for (const argv of [["list"], ["show", "good"]]) {
      const { code, out } = await cli(...argv);
      expect(code).toBe(0);
      expect(out).toContain("\n1 line(s) of the ledger are no row\n1 line(s) of the ledger torn\n");
    }
  });

  test.each(["morning.toml", "MORNING", "morn", "mornings"])("%s is near to a name", async (name) => {
    addTrigger(at.home, "morning", 'schedule = "@daily"\nprompt = "p"\n');
    const ran = await cli("show", name);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toBe(`mecha: no trigger is named '${name}'; did you mean morning?\n`);
  });

  test.each(["zzz", "../morning", "a".repeat(50_000), "\u001b[31m", "日本"])(
    "a name near to none is said in one short line",
    async (name) => {
      addTrigger(at.home, "morning-briefing", "broken");
      const ran = await cli("show", name);
      expect(ran.code).toBe(1);
      expect(ran.err).toMatch(
        /^mecha: no trigger is named '.*'; (see: mecha trigger list|did you mean .*)\n$/,
      );
      expect(ran.err.length).toBeLessThan(200);
      expect(ran.err).not.toContain("\u001b");
    },
  );

  test("whatever stands in a file or the ledger is shown as text, and no more of it than fits", async () => {
    const hostile = "\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u202e\\u2066\\u007f\\n\\r";
    const long = "x".repeat(5000);
    addTrigger(
      at.home,
      "evil",
      `schedule = "@daily"
prompt = "${hostile}${"line\\n".repeat(300)}${long}"
description = "${hostile}${long}"
model = "${hostile}"
workspace = "${hostile}${long}"
tools = ["${hostile}", "${long}"]
skills = ["${hostile}"]
notify = { "${hostile}" = ["${hostile}", 9007199254740993, 12, 1.5, inf, 2026-08-01T00:00:00Z, 07:00:00], deep = { x = true } }
`,
    );
    const raw: string = JSON.parse(`"${hostile}"`);
    writeLedger(at.home, [
      { trigger: "evil", started_at: "2026-08-05T00:00:00Z", session_id: raw + long, summary: raw + long },
      { trigger: "evil", started_at: "2026-08-05T01:00:00Z", status: "error", error: raw, notify_error: raw },
    ]);
    for (const argv of [["list"], ["list", "--json"], ["show", "evil"], ["show", "evil", "--json"]]) {
      const { code, out, err } = await cli(...argv);
      expect([argv, code, err]).toEqual([argv, 0, ""]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
    const { out } = await cli("show", "evil");
    expect(out).toContain("more line(s); all of it: --json\n");
    for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThan(300);
    const json = JSON.parse((await cli("show", "evil", "--json")).out);
    expect(json.trigger.prompt).toContain(long);
    expect(json.trigger.notify[raw]).toEqual([
      raw,
      "9007199254740993",
      12,
      1.5,
      null,
      "2026-08-01T00:00:00.000Z",
      "07:00:00.000",
    ]);
  });
});
