import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseReport } from "#lib/eval/parse-report.ts";
import { tempHome } from "#tests/support/cli.ts";
import { evalHome, trivialCases, writeCases } from "#tests/support/eval-home.ts";
import { ended, JOURNAL, killEvals, REPORT, startEval } from "#tests/support/killed-evals.ts";

let temp: ReturnType<typeof tempHome>;
beforeEach(() => {
  temp = tempHome();
});
afterEach(() => temp.remove());

test("evaluations killed at ten moments and resumed count each run of each case once", async () => {
  const seen = await killEvals(10, 5);
  expect(seen.resumed).toBeGreaterThan(6);
}, 120_000);

function reportIn(home: string) {
  const report = parseReport(JSON.parse(readFileSync(path.join(home, REPORT), "utf8")));
  if (!report.ok) throw new Error(report.problem);
  return report.value;
}

/** Resolves once that many runs are said to be done. */
async function whenDone(child: ReturnType<typeof startEval>, runs: number): Promise<void> {
  let said = "";
  for await (const [chunk] of on(child)) {
    said += chunk;
    if (said.includes(`[${runs}/`)) return;
  }
}

async function* on(child: ReturnType<typeof startEval>): AsyncGenerator<[string]> {
  for (;;) yield (await once(child.stderr as NodeJS.ReadableStream, "data")) as [string];
}

describe("Ctrl-C", () => {
  test("once finishes what is in flight, writes a partial report, and the rest can be run later", async () => {
    // So many that it is not over before a busy machine comes to interrupt it.
    const slow = { otherwise: { text: "fine", delay_ms: 250 } };
    evalHome(temp.home, { cases: trivialCases(100), script: slow });
    const child = startEval(temp.home, "-c", "4");
    const end = ended(child);
    await whenDone(child, 4);
    child.kill("SIGINT");
    const { code, out, err } = await end;
    const partial = reportIn(temp.home);
    expect(code).toBe(1);
    expect(err).toContain("finishing what is in flight");
    expect(err).toContain("the report is partial");
    expect(err).toContain(`--resume ${path.join(temp.home, JOURNAL)}`);
    expect(partial.meta.partial).toBe(true);
    // At least what was in flight then.
    expect(partial.runs.length).toBeGreaterThanOrEqual(8);
    expect(partial.runs.length).toBeLessThan(100);
    expect(partial.runs.every((run) => run.passed && run.error === null)).toBe(true);
    expect(out).toContain(`${partial.runs.length}/${partial.runs.length}`);
    const rest = await ended(startEval(temp.home, "-c", "4", "--resume", JOURNAL));
    expect(rest.code).toBe(0);
    expect(reportIn(temp.home).runs).toHaveLength(100);
    expect(reportIn(temp.home).meta.partial).toBe(false);
    expect(existsSync(path.join(temp.home, JOURNAL))).toBe(false);
  });

  test("twice stops at once, and what was in flight is not counted", async () => {
    evalHome(temp.home, {
      cases: trivialCases(6),
      script: {
        rules: [{ when: { prompt_is: "prompt 0" }, steps: [{ text: "fine" }], repeat: true }],
        otherwise: { text: "fine", delay_ms: 60_000 },
      },
    });
    const child = startEval(temp.home, "-c", "3");
    const end = ended(child);
    await whenDone(child, 1);
    child.kill("SIGINT");
    for (let said = ""; !said.includes("finishing"); ) said += (await on(child).next()).value;
    child.kill("SIGINT");
    // The runs in flight would take a minute.
    const { code, err } = await end;
    expect(code).toBe(1);
    expect(err).toContain("what was in flight is not counted");
    expect(reportIn(temp.home).runs.map(({ id }) => id)).toEqual(["case-0"]);
    expect(reportIn(temp.home).meta.partial).toBe(true);
  });
});

describe("going on with a pass", () => {
  const cases = trivialCases(20);
  const slow = { otherwise: { text: "fine", delay_ms: 60 } };

  /** Killed behind its fourth run; the others would have taken so long that it was certainly not over. */
  async function brokenOff(): Promise<void> {
    const first = [0, 1, 2, 3].map((n) => ({
      when: { prompt_is: `prompt ${n}` },
      steps: [{ text: "fine" }],
    }));
    const script = { rules: first, otherwise: { text: "fine", delay_ms: 60_000 } };
    evalHome(temp.home, { cases, script });
    const child = startEval(temp.home);
    const closed = once(child, "close");
    await whenDone(child, 4);
    child.kill("SIGKILL");
    await closed;
    evalHome(temp.home, { cases, script: slow });
  }

  test("that was started otherwise is refused, and says what differs", async () => {
    await brokenOff();
    const otherwise = await ended(startEval(temp.home, "--resume", JOURNAL, "-k", "2"));
    expect(otherwise.code).toBe(1);
    expect(otherwise.err).toContain("it was started otherwise (runs_per_case)");
    writeCases(temp.home, trivialCases(21));
    const longer = await ended(startEval(temp.home, "--resume", JOURNAL));
    expect(longer.err).toContain("it was started otherwise (case_set_sha256)");
    expect(existsSync(path.join(temp.home, REPORT))).toBe(false);
  });

  test("that stands there unfinished is not started over", async () => {
    await brokenOff();
    const before = readFileSync(path.join(temp.home, JOURNAL), "utf8");
    const again = await ended(startEval(temp.home));
    expect(again.code).toBe(1);
    expect(again.err).toContain("an evaluation that was not finished; go on with --resume");
    expect(readFileSync(path.join(temp.home, JOURNAL), "utf8")).toBe(before);
  });

  test("counts the time of its earlier parts too", async () => {
    await brokenOff();
    const { clock_ms } = JSON.parse(
      readFileSync(path.join(temp.home, JOURNAL), "utf8").trimEnd().split("\n").at(-1) ?? "",
    );
    expect((await ended(startEval(temp.home, "--resume", JOURNAL))).code).toBe(0);
    expect(reportIn(temp.home).wall_clock_ms).toBeGreaterThan(clock_ms);
  });

  test("needs a place for the report", async () => {
    const { mecha } = evalHome(temp.home, { cases: trivialCases(1) });
    const { code, err } = await mecha("eval", "cases.jsonl", "-p", "s", "--resume", "x.jsonl");
    expect(code).toBe(2);
    expect(err).toContain("--resume needs --out");
  });

  test("by two processes at once is done by one of them, and the other says so", async () => {
    await brokenOff();
    const both = await Promise.all([
      ended(startEval(temp.home, "--resume", JOURNAL)),
      ended(startEval(temp.home, "--resume", JOURNAL)),
    ]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.err).toMatch(
      /still running this evaluation|there is no such file/,
    );
    expect(existsSync(path.join(temp.home, `${JOURNAL}.lock`))).toBe(false);
    expect(reportIn(temp.home).runs.map(({ id }) => id)).toEqual(trivialCases(20).map((_, n) => `case-${n}`));
  });
});
