import { expect, hydrated, test, withStore } from "./dashboard.ts";
import { writeStore, writeTriggers } from "./store.ts";

const AS_OF = "2026-11-29T12:00:00Z";

withStore((home) => {
  writeStore(home, [failing(), ...few()]);
  writeTriggers(home, TRIGGERS, LEDGER);
  return { MECHA_ZONE: "UTC" };
});

/** 24 runs of 5 calls, two of which fail: 40 % of calls, and every run ends on a failed one. */
function failing() {
  return {
    id: "20261120T080000-00000001",
    created_at: "2026-11-20T08:00:00Z",
    model: "alpha",
    title: "Alpha at work",
    runs: Array.from({ length: 24 }, () => ({
      calls: ["ok", "ok", "failed", "ok", "failed"].map((result) => ({ result: result as "ok" | "failed" })),
    })),
  };
}

/** Too few runs to be judged. */
function few() {
  return [
    {
      id: "20261121T080000-00000002",
      created_at: "2026-11-21T08:00:00Z",
      model: "beta",
      runs: [{ calls: [{ result: "failed" as const }] }],
    },
  ];
}

const TRIGGERS = {
  morning:
    'schedule = "0 7 * * *"\nprompt = "Summarise."\ntimezone = "UTC"\ndescription = "Morning briefing"\n',
  nightly: 'schedule = "0 2 * * *"\nprompt = "Tidy."\ntimezone = "UTC"\n',
  paused: 'schedule = "0 9 * * 1"\nprompt = "Weekly."\nenabled = false\n',
};

const LEDGER = [
  ...[25, 26, 27].map((day) => row("morning", day, { tool_calls: 6, tool_errors: 1 })),
  row("morning", 28, { status: "skipped-overlap" }),
  row("morning", 29, { tool_calls: 0 }),
  ...[26, 27, 28].map((day) => row("nightly", day, { tool_calls: 6 })),
  row("nightly", 29, { status: "error", session_id: "20261120T080000-00000001" }),
];

function row(trigger: string, day: number, over: object): object {
  const hour = trigger === "morning" ? "07" : "02";
  const slot = `2026-11-${day}T${hour}:00:00Z`;
  return {
    trigger,
    slot,
    started_at: slot,
    status: "ok",
    turns: 2,
    tool_calls: 0,
    tool_errors: 0,
    summary: "",
    ...over,
  };
}

test("each finding has its numbers, its age, its remedy and the rows behind it", async ({ page }) => {
  await page.goto(`/findings?as_of=${AS_OF}`);
  const finding = page.getByRole("listitem").filter({ hasText: "alpha fails its tool calls" });
  await expect(finding).toContainText("40.0%  48 / 120");
  await expect(finding).toContainText("reported from");
  await expect(finding).toContainText("25%");
  await expect(finding).toContainText("standing for 8 days");
  await expect(finding.getByText("mecha sessions health --days 30", { exact: true })).toBeVisible();
  await finding.getByRole("link", { name: "See the runs behind it" }).click();
  await expect(page).toHaveURL(/model=alpha/);
  await expect(page).toHaveURL(/errors=1/);
  await expect(page.getByRole("link", { name: "Alpha at work" })).toBeVisible();
});

test("a model with few runs is passed over, and that is said", async ({ page }) => {
  await page.goto(`/findings?as_of=${AS_OF}`);
  await expect(
    page.getByText("1 model checked · 1 with under 20 runs passed over · 2 triggers checked"),
  ).toBeVisible();
  await expect(page.getByText("beta fails")).toHaveCount(0);
});

test("the remedy is copied", async ({ page, context, dashboard }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: dashboard.url });
  await page.goto(`/findings?as_of=${AS_OF}`);
  await hydrated(page);
  await page.getByRole("button", { name: /Copy the command.*trigger run nightly/ }).click();
  await expect(page.getByText("✓ copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mecha trigger run nightly");
});

test("the last five runs of a trigger are marks with words and numbers", async ({ page }) => {
  await page.goto(`/findings?as_of=${AS_OF}`);
  const morning = page.getByRole("row", { name: /morning/ });
  const marks = morning.getByRole("listitem");
  await expect(marks).toHaveCount(5);
  await expect(marks.nth(0)).toContainText("2026-11-25 07:00: ok, 6 calls, 1 error");
  await expect(marks.nth(3)).toContainText("skipped");
  await expect(marks.nth(4)).toContainText("did nothing");
  await expect(page.getByRole("row", { name: /paused/ })).toContainText("switched off");
  await page
    .getByRole("row", { name: /nightly/ })
    .getByRole("link", { name: /error/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Alpha at work" })).toBeVisible();
});
