import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, withStore } from "./dashboard.ts";

withStore((home) => {
  const sessions = path.join(home, "sessions");
  mkdirSync(sessions, { recursive: true });
  writeFileSync(path.join(sessions, "torn.jsonl"), TORN);
  writeFileSync(path.join(sessions, "none.jsonl"), "[1, 2]\n");
  writeFileSync(
    path.join(sessions, "bytes.jsonl"),
    Buffer.concat([Buffer.from(HEAD), Buffer.from([0xff, 0xfe, 0x0a])]),
  );
  const file = path.join(home, "not-a-folder");
  writeFileSync(file, "x");
  return { MECHA_SOURCES: `mecha,claude-code=${file}`, MECHA_ZONE: "UTC" };
});

const HEAD = `${JSON.stringify({
  record: "meta",
  id: "20261120T080000-00000001",
  created_at: "2026-11-20T08:00:00Z",
  provider: "p",
  model: "m",
  workspace: "/w",
})}\n`;
const OUTCOME = `${JSON.stringify({ record: "outcome", turns: 1, stop_cause: "completed" })}\n`;
const TORN = `${HEAD.replace("00000001", "00000002")}${OUTCOME}{"record":"nonsense"}\n{"record":"outco`;

test("a source that cannot be read is said on top, and the rest is shown", async ({ page }) => {
  await page.goto("/?days=all");
  await expect(page.getByRole("alert").filter({ hasText: "claude-code" })).toContainText("is not a folder");
  await expect(page.getByRole("region", { name: "Totals, recorded" })).toContainText("0 / 1");
  await page.goto("/findings");
  await expect(page.getByRole("listitem").filter({ hasText: "store unreadable" }).first()).toBeVisible();
});

test("what was left out is counted in the strip and in the account", async ({ page }) => {
  await page.goto("/?days=all");
  const strip = page.getByRole("list", { name: "What these numbers rest on" });
  await expect(strip).toContainText("1 of 2 sessions");
  await expect(strip).toContainText("1 file not a session");
  await expect(strip).toContainText("1 line torn");
  await expect(strip).toContainText("1 line unknown");
  await expect(page.locator("#coverage-lines_torn")).toContainText("1");
});

test("a transcript with bad lines shows the good ones and names the others", async ({ page }) => {
  await page.goto("/sessions/20261120T080000-00000001?source=mecha");
  const transcript = page.getByRole("region", { name: "Transcript" });
  await expect(transcript.getByRole("listitem").first()).toContainText("session 20261120T080000-00000001");
  await expect(transcript).toContainText("left out");
});
