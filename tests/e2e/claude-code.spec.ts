import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { expect, test, withStore } from "./dashboard.ts";

const root = path.resolve(import.meta.dirname, "../..");
const data = sharedDir === null ? null : path.join(sharedDir, "data/claude-code");
let env: Record<string, string> = {};

withStore((home) => {
  const config = path.join(home, "claude");
  const project = path.join(config, "projects/-home-u-proj");
  mkdirSync(project, { recursive: true });
  if (data !== null) cpSync(data, project, { recursive: true });
  env = { CLAUDE_CONFIG_DIR: config, MECHA_SOURCES: "claude-code", MECHA_ZONE: "UTC" };
  return env;
});

type Counts = {
  runs: number;
  sessions: number;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  ended_on_failed_call: number;
  cut_short: number;
  stop_causes: Record<string, number>;
};
type Health = {
  by_provenance: (Counts & { provenance: string })[];
  by_model: (Counts & { model: string })[];
};

/** What the command line says of the same files. */
function printed(home: string): Health {
  const text = execFileSync(
    process.execPath,
    [path.join(root, "dist/mecha.mjs"), "sessions", "health", "--json"],
    {
      env: {
        NODE_ENV: "production",
        PATH: process.env.PATH ?? "",
        HOME: path.dirname(home),
        MECHA_HOME: home,
        ...env,
      },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return JSON.parse(text.toString()) as Health;
}

test.describe(data === null ? `Claude Code files (${sharedMissing})` : "Claude Code files", () => {
  test.skip(data === null, sharedMissing);

  test("the page shows the numbers that the command prints", async ({ page, dashboard }) => {
    const { by_provenance, by_model } = printed(dashboard.home);
    expect(by_provenance.map(({ provenance }) => provenance)).toEqual(["derived"]);
    const total = by_provenance[0];
    if (total === undefined) throw new Error("no totals");
    expect(total.runs).toBeGreaterThan(50);
    await page.goto("/?days=all");
    const totals = page.getByRole("region", { name: "Totals, derived" });
    await expect(totals).toContainText(`${total.ended_on_failed_call} / ${total.runs}`);
    await expect(totals).toContainText(`${total.tool_errors} / ${total.tool_calls}`);
    await expect(totals).toContainText(`${total.cut_short} / ${total.runs}`);
    await expect(totals).toContainText(`${total.runs} runs in ${total.sessions} sessions`);
    await expect(totals).toContainText(`Denied${total.tool_denied}`);
    for (const { model, runs, tool_errors, tool_calls } of by_model) {
      const name = page.getByText(model || "(no model)", { exact: true });
      const row = page.getByRole("region", { name: "By model" }).getByRole("row").filter({ has: name });
      await expect(row).toContainText(String(runs));
      if (tool_calls > 0) await expect(row).toContainText(`${tool_errors} / ${tool_calls}`);
    }
    const causes = page.getByRole("region", { name: "Why runs stopped" });
    for (const [cause, runs] of Object.entries(total.stop_causes)) {
      await expect(causes.getByRole("row", { name: cause })).toContainText(String(runs));
    }
  });

  test("its sessions and their transcripts open", async ({ page }) => {
    await page.goto("/sessions?errors=1&sort=-errors");
    await page.getByRole("list", { name: "Sessions" }).getByRole("link").first().click();
    await expect(
      page.getByRole("region", { name: "Transcript" }).getByRole("listitem").first(),
    ).toBeVisible();
    await expect(page.getByRole("complementary", { name: "Runs" })).toContainText("errors");
  });
});
