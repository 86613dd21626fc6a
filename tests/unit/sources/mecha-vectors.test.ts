import { describe, expect, it } from "vitest";
import { scanRuns } from "#lib/sources/scan.io.ts";
import { metaLine, outcomeLine, scratchDir, writeSession } from "#tests/support/session-files.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

type Vector = {
  name: string;
  lines: string[];
  outcomes: {
    provider: string;
    model: string;
    turns: number;
    stop_cause: string | null;
    usage_complete: boolean;
  }[];
};
const { attribution } = readVectors({
  attribution: [{ name: "absent", lines: [], outcomes: [] }] as Vector[],
});

describe.skipIf(sharedDir === null)(
  `attribution, shared vectors (${sharedDir === null ? sharedMissing : "present"})`,
  () => {
    it.each(attribution)("$name", async ({ lines, outcomes }) => {
      const dir = scratchDir();
      writeSession(dir, "a", lines.join("\n"));
      const { runs, coverage } = await scanRuns({ kind: "mecha", place: dir });
      // Without a header a file is no session, so its rows are not ours to count.
      const hasHeader = lines[0]?.includes('"meta"') === true;
      expect(coverage.files_not_sessions).toBe(hasHeader ? 0 : 1);
      const seen = runs.map(({ provider, model, turns, stop_cause, usage_complete }) => {
        return { provider, model, turns, stop_cause, usage_complete };
      });
      expect(seen).toEqual(hasHeader ? outcomes : []);
    });
  },
);

describe("attribution", () => {
  const scan = async (...lines: string[]) => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), ...lines.map((line) => `${line}\n`));
    return (await scanRuns({ kind: "mecha", place: dir })).runs;
  };

  it("numbers the rows of a session, those that were dropped not counted", async () => {
    const runs = await scan(outcomeLine(1).trim(), '{"record":"outcome","turns":-1}', outcomeLine(3).trim());
    expect(runs.map(({ run, turns, started_at }) => [run, turns, started_at])).toEqual([
      [1, 1, "2026-08-05T09:15:00Z"],
      [2, 3, "2026-08-05T09:15:00Z"],
    ]);
  });

  it("gives each run the settings in force, one object for equal ones, none before any", async () => {
    const config =
      '{"record":"config","provider":"p","model":"m","effort":"high","max_turns":40,"tools":["b","a"]}';
    const [before, first, second, third] = await scan(
      outcomeLine(1).trim(),
      config,
      outcomeLine(2).trim(),
      config,
      outcomeLine(3).trim(),
      '{"record":"config","system_prompt":"be brief"}',
      outcomeLine(4).trim(),
    );
    expect(before?.config).toBeNull();
    expect(first?.config).toEqual({ effort: "high", max_turns: 40, tools_sha: "c4a78e5bdf31" });
    expect(second?.config).toBe(first?.config);
    expect(third?.config).toEqual({ system_prompt_sha: "b0d336336bae" });
    expect(third).toMatchObject({ provider: "", model: "", cost_usd: null, tool_cancelled: null });
  });

  it("reads an outcome as it is written, whatever would follow from its other keys", async () => {
    const [run] = await scan(
      '{"record":"outcome","stop_cause":"no_output","ended_on_failed_call":true,"exhausted":true}',
    );
    expect(run).toMatchObject({ stop_cause: "no_output", ended_on_failed_call: true, exhausted: true });
  });
});
