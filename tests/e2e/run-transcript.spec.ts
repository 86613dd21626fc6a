import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { appendRecords, createSession } from "#lib/transcript/append.io.ts";
import { aReport, aRun } from "#tests/unit/eval/cards.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, test } from "./dashboard.ts";
import { type Places, withResults, writeCard } from "./results.ts";

const FAILED = {
  passed: false,
  checks: [{ name: "calls fs_write", passed: false, detail: "called: fs_read" }],
};

/** A report whose failed runs name a transcript, one of them a file outside, one nothing, one a file that is gone. */
function fill(places: Places) {
  const transcripts = path.join(places.results, "deep/r.json.transcripts");
  const meta = { created_at: "2026-11-20T10:00:00Z", provider: "s", model: "m", workspace: "/w", title: "a" };
  mkdirSync(path.dirname(transcripts), { recursive: true });
  const file = createSession(transcripts, { id: "20261120T100000Z-a", ...meta });
  const say = (role: "user" | "assistant", content: Parameters<typeof message>[1]) =>
    appendRecords(file, [message(role, content)]);
  say("user", [{ type: "text", text: "Write the note <b>now</b>\u001b[31m" }]);
  say("assistant", [{ type: "tool_use", id: "c1", name: "fs_read", input: { path: "gone.md" } }]);
  say("user", [{ type: "tool_result", tool_use_id: "c1", content: "there is no such file", is_error: true }]);
  for (let n = 0; n < 90; n++)
    say("assistant", [{ type: "text", text: `thought ${n} ${"x".repeat(n === 3 ? 9000 : 1)}` }]);
  const outside = path.join(places.data, "secret.jsonl");
  writeFileSync(outside, '{"record":"message"}\n');
  symlinkSync(outside, path.join(transcripts, "link.jsonl"));
  const named = (transcript: string | null) => ({ ...FAILED, transcript });
  writeCard(places, {
    name: "deep/r.json",
    report: aReport([
      aRun({ id: "told", ...named("r.json.transcripts/20261120T100000Z-a.jsonl") }),
      aRun({ id: "outside", ...named("../../data/secret.jsonl") }),
      aRun({ id: "linked", ...named("r.json.transcripts/link.jsonl") }),
      aRun({ id: "gone", ...named("r.json.transcripts/gone.jsonl") }),
      aRun({ id: "none", ...FAILED }),
    ]),
  });
}

function message(
  role: "user" | "assistant",
  content: Parameters<typeof appendRecords>[1][number] extends infer R
    ? R extends { record: "message"; content: infer C }
      ? C
      : never
    : never,
) {
  return { record: "message" as const, role, content };
}

withResults(fill);

const at = (id: string) => `/scorecards/transcript?card=deep%2Fr.json&case=${id}&run=1`;

test("a failing case leads to its transcript, and from there to the call that failed", async ({ page }) => {
  await page.goto("/scorecards/compare?cards=deep%2Fr.json&case=told");
  await page.getByRole("link", { name: "transcript" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("told");
  await expect(page.getByText("calls fs_write")).toBeVisible();
  const list = page.getByRole("region", { name: "Transcript" });
  await expect(list).toContainText("Write the note <b>now</b>");
  await expect(list).toContainText("there is no such file");
  await page.getByRole("button", { name: "next failed call" }).click();
  await expect(page.locator("[data-failed]")).toBeFocused();
  await expect(page).toHaveURL(/at=/);
});

test("is read on to its end, and a long text unfolds", async ({ page }) => {
  await page.goto(at("told"));
  await page.getByRole("button", { name: /show all 9.?010 characters/ }).click();
  await expect(page.getByRole("button", { name: "fold" })).toBeVisible();
  // What comes makes the page longer, and nobody knows when it does.
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(page.getByText("thought 89")).toBeAttached({ timeout: 500 });
  }).toPass();
  await expect(page.getByText("End of the transcript")).toBeVisible();
});

test("nothing outside of the results folder is one, whatever a report names", async ({ page, request }) => {
  for (const [id, why] of [
    ["outside", "is not in a results folder"],
    ["linked", "is not in a results folder"],
    ["gone", "is gone"],
    ["none", "no transcript of this run was kept"],
    ["nobody", "the card has no such run"],
  ] as const) {
    await page.goto(at(id));
    await expect(page.getByRole("main")).toContainText(why);
    const answer = await request.get(
      `/api/scorecards/transcript/entries?card=deep%2Fr.json&case=${id}&run=1`,
    );
    expect(answer.status()).toBe(404);
    expect(await answer.text()).toContain(why);
  }
});

for (const look of LOOKS)
  test(`has no barrier that axe knows of, and fits a phone: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    await page.goto(at("told"));
    await expect(page.getByText("there is no such file")).toBeVisible();
    await expectAccessible(page);
    const main = page.getByRole("main");
    expect(await main.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });
