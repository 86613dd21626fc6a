import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, withStore } from "./dashboard.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");

/** Runs the agent as a person would, in a folder with one file. */
function runAgent(home: string, prompt: string): void {
  const workspace = path.join(home, "ws");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(path.join(workspace, "orders.csv"), "id,item\n1,oats\n");
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: home, MECHA_HOME: home };
  const ran = spawnSync(process.execPath, [bin, "run", "-p", "scripted", "-w", workspace, prompt], { env });
  expect(ran.status).toBe(0);
}

withStore((home) => {
  runAgent(home, "the first errand");
  return undefined;
});

test("a run made here is there at once, and the next one with it", async ({ page, dashboard }) => {
  await page.goto("/sessions");
  await expect(page.getByText("the first errand")).toBeVisible();
  runAgent(dashboard.home, "the second errand");
  // The page may answer from memory for two seconds.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("the second errand")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await page.getByText("the second errand").click();
  await expect(page.getByText("It begins with: id,item")).toBeVisible();
});
