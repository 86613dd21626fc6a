import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canonicalJson, sha256Hex } from "#lib/verdict/canonical.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { passingFrom, put } from "./eval-files.ts";

let home: string;
let remove: () => void;
beforeEach(() => {
  ({ home, remove } = tempHome());
});
afterEach(() => remove());

const mecha = (...argv: string[]) => runCli(argv, { home });
const golden = async (name: string, ...argv: string[]) =>
  expectGolden(name, argv, await mecha(...argv), home);
const read = (name: string) => readFileSync(path.join(home, name), "utf8");

/** Judges two cards, and gives the document as it was printed. */
async function judged(now = "2026-08-06T12:00:00Z", ...flags: string[]): Promise<string> {
  put(home, { "a.json": passingFrom(6), "b.json": passingFrom(2) });
  return (await runCli(["gate", "a.json", "b.json", "--json", ...flags], { home, now })).out;
}
const idOf = (document: string): string => JSON.parse(document).id;

const AB_CONFIG = {
  ab_config: ["max_turns=40"],
  arm_a: { passed: 0, total: 1 },
  arm_b: { passed: 1, total: 1 },
  cases: [{ id: "config-port", now: true, was: false, work_a: 2, work_b: 2 }],
  holdout_in: 3,
  judgement: {
    disposition: { Propose: "too few" },
    selection: { wins: 0, losses: 0, ties: 0 },
    holdout: { wins: 1, losses: 0, ties: 0 },
    work_baseline: 2,
    work_candidate: 2,
  },
};
const score = {
  scorecard: { model: "m", provider: "p", passed: 1, total: 1 },
  cases: [{ id: "a", passed: true }],
};
const AB_RULES = { ab_rules: true, without_rules: score, with_rules: score, flips: [] };

describe("list", () => {
  test("newest first, in the zone that is asked for, and says when there are more", async () => {
    await judged("2026-08-06T09:00:00Z", "--change", "max_turns=40", "--predicts", "turns");
    await judged("2026-08-06T10:00:00Z", "--change", "effort=low", "--class", "security");
    await judged("2026-08-06T11:00:00Z");
    await golden("verdict-list", "verdict", "list", "--zone", "Asia/Kathmandu");
    await golden("verdict-list-json", "verdict", "list", "-n", "1", "--json");
    expect((await mecha("verdict", "list", "-n", "2")).out).toContain("there are older ones, see -n");
  });

  test("where nothing is stored, nothing is made", async () => {
    await golden("verdict-list-empty", "verdict", "list");
    expect(JSON.parse((await mecha("verdict", "list", "--json")).out).verdicts).toEqual([]);
    expect((await mecha("verdict", "show", "abcd")).err).toContain("none is stored yet");
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("show", () => {
  test("takes an id, the start of one in either case, and a file, and says the same for each", async () => {
    const document = await judged();
    const id = idOf(document);
    put(home, { "v.json": document });
    const whole = (await mecha("verdict", "show", id)).out;
    expect(whole).toContain("verdict: BETTER");
    for (const named of [id.slice(0, 6), id.slice(0, 6).toUpperCase(), "v.json"]) {
      expect((await mecha("verdict", "show", named)).out).toBe(whole);
      expect((await mecha("verdict", "show", named, "--json")).out).toBe(document);
    }
  });

  test("an id that is none, or is nobody's", async () => {
    await judged();
    for (const [named, said] of [
      ["abc", "there is no such file, and a verdict's id is 4 to 64 hexadecimal digits"],
      ["../../etc/nothing", "there is no such file"],
      ["ffffffff", "there is no verdict ffffffff"],
      ["%_%_", "there is no such file"],
    ] as const) {
      const { code, out, err } = await mecha("verdict", "show", named);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(said);
    }
  });

  test("results of an A/B of either kind, with what they lack", async () => {
    put(home, { "config.json": JSON.stringify(AB_CONFIG), "rules.json": JSON.stringify(AB_RULES) });
    await golden("verdict-show-ab-config", "verdict", "show", "config.json");
    await golden("verdict-show-ab-rules", "verdict", "show", "rules.json");
    expect((await mecha("verdict", "show", "rules.json", "--json")).code).toBe(1);
  });

  test("a file that was changed is shown with a warning and exit code 1", async () => {
    put(home, { "v.json": (await judged()).replace('"wins":2', '"wins":9') });
    const { code, out, err } = await mecha("verdict", "show", "v.json");
    expect(code).toBe(1);
    expect(out).toContain("9+");
    expect(err).toMatch(/^mecha: do not trust v\.json: \d+ thing/);
  });

  test("a verdict that was changed in the database is not shown", async () => {
    const id = idOf(await judged());
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(path.join(home, ".mecha/dashboard/mecha.db"));
    db.prepare(`update verdicts set document = replace(document, '"wins":2', '"wins":9')`).run();
    db.close();
    const { code, out, err } = await mecha("verdict", "show", id);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`the stored verdict ${id} is damaged`);
  });
});

describe("verify", () => {
  test("passes on what was exported", async () => {
    const id = idOf(await judged());
    await mecha("verdict", "export", id, "--json", "v.json");
    const { code, out } = await mecha("verdict", "verify", "v.json");
    expect({ code, out }).toEqual({ code: 0, out: `v.json: every number follows (id ${id})\n` });
  });

  test("names each number that was changed, also where the hash was made anew", async () => {
    const forged = JSON.parse(await judged());
    forged.judgement.selection.wins += 1;
    const { id: _, ...rest } = forged;
    forged.id = sha256Hex(canonicalJson(rest));
    put(home, {
      "v.json": await judged(),
      "forged.json": canonicalJson(forged),
      "card.json": passingFrom(0),
      "config.json": JSON.stringify({ ...AB_CONFIG, arm_b: { passed: 0, total: 1 } }),
    });
    const { code, out } = await mecha("verdict", "verify", "v.json", "forged.json", "config.json");
    expect(code).toBe(1);
    expect(out).toMatch(/^v\.json: every number follows/);
    expect(out).toContain("judgement.selection.wins: 3 in the file, 2 by its own measurements");
    expect(out).toContain("arm_b.passed: 0 in the file, 1 by its own measurements");
    expect(out).not.toContain("\n  id: ");
  });

  test("says of what cannot be checked why, as text and as JSON", async () => {
    put(home, { "card.json": passingFrom(0), "torn.json": "{", "rules.json": JSON.stringify(AB_RULES) });
    const files = ["card.json", "torn.json", "rules.json", "gone.json", "."];
    await golden("verdict-verify-none", "verdict", "verify", ...files);
    const { code, out } = await mecha("verdict", "verify", ...files, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out).files.map((one: { ok: boolean }) => one.ok)).toEqual(files.map(() => false));
  });

  test("a text of 300 000 brackets is no bug", async () => {
    const deep = `{"schema":"mecha.verdict/1","id":${"[".repeat(150_000)}${"]".repeat(150_000)}}`;
    put(home, { "deep.json": deep });
    for (const command of ["show", "verify"]) {
      const { code, err } = await mecha("verdict", command, "deep.json");
      expect(code).toBe(1);
      expect(err).not.toContain("bug");
    }
  });
});

describe("export", () => {
  test("writes page, comment and document, each whole", async () => {
    const document = await judged();
    const id = idOf(document);
    const argv = ["--html", "out/v.html", "--markdown", "out/v.md", "--json", "out/v.json"];
    const { code, out, err } = await mecha("verdict", "export", id.slice(0, 12), ...argv);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toBe("mecha: wrote out/v.html\nmecha: wrote out/v.md\nmecha: wrote out/v.json\n");
    expect(read("out/v.json")).toBe(document);
    expect(read("out/v.html")).toMatch(/^<!doctype html>/);
    expect(read("out/v.html")).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    expect(read("out/v.md")).toBe((await mecha("verdict", "export", "out/v.json", "--markdown")).out);
    expect(readdirSync(path.join(home, "out")).sort()).toEqual(["v.html", "v.json", "v.md"]);
  });

  test("prints to standard output what names no file", async () => {
    const document = await judged();
    expect((await mecha("verdict", "export", idOf(document), "--json")).out).toBe(document);
    await golden("verdict-export-markdown", "verdict", "export", idOf(document).slice(0, 8), "--markdown");
  });

  test("does not make pages of a file that contradicts itself, nor write over it", async () => {
    const document = await judged();
    put(home, { "bad.json": document.replace('"wins":2', '"wins":9'), "v.json": document });
    const bad = await mecha("verdict", "export", "bad.json", "--html", "v.html");
    expect(bad.code).toBe(1);
    expect(bad.err).toContain("does not agree with its own measurements");
    const over = await mecha("verdict", "export", "v.json", "--html", "v.json");
    expect(over).toMatchObject({ code: 2, err: "mecha: v.json is what is read: write to another file\n" });
    expect(read("v.json")).toBe(document);
    expect(readdirSync(home)).not.toContain("v.html");
  });

  test("is not written in place of a link that leads nowhere", async () => {
    put(home, { "v.json": await judged() });
    symlinkSync(path.join(home, "gone.html"), path.join(home, "v.html"));
    const { code, err } = await mecha("verdict", "export", "v.json", "--html", "v.html");
    expect({ code, err }).toEqual({
      code: 1,
      err: "mecha: v.html cannot be written: it is a link that leads nowhere\n",
    });
    expect(lstatSync(path.join(home, "v.html")).isSymbolicLink()).toBe(true);
  });

  test("an A/B result has a page and a comment, and no document", async () => {
    put(home, { "config.json": JSON.stringify(AB_CONFIG) });
    expect((await mecha("verdict", "export", "config.json", "--html", "v.html")).code).toBe(0);
    expect(read("v.html")).toContain("Unknown in this file");
    const { code, err } = await mecha("verdict", "export", "config.json", "--json", "v.json");
    expect(code).toBe(1);
    expect(err).toContain("is an A/B result, and no verdict document");
  });
});

describe("wrong usage is exit code 2", () => {
  test.each([
    [[], "Usage: mecha verdict"],
    [["shwo", "abcd"], "Did you mean show?"],
    [["show"], "missing required argument 'verdict'"],
    [["verify"], "missing required argument 'files'"],
    [["verify", ""], "must not be empty"],
    [["export", "abcd"], "say as what: --html FILE, --markdown [FILE] or --json [FILE]"],
    [["export", "abcd", "--markdown", "--json"], "only one of --markdown and --json can be printed"],
    [["export", "abcd", "--html"], "argument missing"],
    [["list", "-n", "0"], "a whole number from 1 up"],
    [["list", "--zone", "Nowhere/Land"], "is not a time zone"],
  ])("%j", async (argv, said) => {
    const { code, out, err } = await mecha("verdict", ...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(said);
  });
});

describe("the built program", () => {
  const dist = path.resolve(import.meta.dirname, "../../dist");

  test("loads the database's engine only where a verdict is stored or read", async () => {
    const document = await judged();
    put(home, { "v.json": document });
    const spy = path.join(home, "spy.cjs");
    writeFileSync(
      spy,
      `process.on("exit", () => console.error("engine:", Object.keys(require.cache).some((file) => file.includes("better-sqlite3"))));`,
    );
    const loads = (...argv: string[]) => {
      const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: home, TZ: "UTC" };
      const args = ["--require", spy, path.join(dist, "mecha.mjs"), ...argv];
      return /engine: (true|false)/.exec(
        spawnSync(process.execPath, args, { cwd: home, env }).stderr.toString(),
      )?.[1];
    };
    expect(loads("verdict", "list")).toBe("true");
    expect(loads("gate", "a.json", "b.json")).toBe("true");
    for (const argv of [
      ["verdict", "verify", "v.json"],
      ["verdict", "show", "v.json"],
      ["verdict", "export", "v.json", "--markdown"],
      ["eval", "--compare", "a.json"],
      ["gate", "a.json", "gone.json"],
      ["sessions", "health"],
    ]) {
      expect([argv, loads(...argv)]).toEqual([argv, "false"]);
    }
  });

  test("sessions health reads two files of ours, however many commands there are", () => {
    for (const name of ["mecha.mjs", "quick-health.mjs"]) {
      expect(readFileSync(path.join(dist, name), "utf8")).not.toContain("./chunk-");
    }
  });
});
