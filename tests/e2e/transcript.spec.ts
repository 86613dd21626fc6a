import { expect, hydrated, listening, sizeOf, test, withStore } from "./dashboard.ts";
import { partedWords } from "./lines.ts";
import { type FakeCall, writeStore } from "./store.ts";

const ID = "20261129T080000-0000000a";
const LONG_ID = "20261128T080000-0000000b";
const LONG = Array.from({ length: 4000 }, (_, line) => `line ${line} of a long answer`).join("\n");

const MUCH = {
  input_tokens: 31_157_000,
  output_tokens: 3_051_800,
  cache_creation_input_tokens: 1_564_020,
  cache_read_input_tokens: 11_062_189,
};

withStore((home) => {
  writeStore(home, [
    {
      id: ID,
      created_at: "2026-11-29T08:00:00Z",
      title: "A long session",
      runs: [
        { prompt: "First question", calls: calls(400, new Set([10, 350])) },
        {
          prompt: "Second question",
          calls: [{ result: "denied", text: "no" }],
          outcome: { stop_cause: "loop" },
        },
      ],
    },
    {
      id: LONG_ID,
      created_at: "2026-11-28T08:00:00Z",
      workspace: "",
      runs: [{ calls: [{ text: LONG }], outcome: { usage: MUCH, usage_complete: false } }],
    },
  ]);
  return { MECHA_ZONE: "UTC" };
});

function calls(count: number, failed: ReadonlySet<number>): FakeCall[] {
  return Array.from({ length: count }, (_, index) => ({
    tool: index % 2 === 0 ? "fs_read" : "shell",
    result: failed.has(index) ? "failed" : "ok",
    text: `answer number ${index}`,
  }));
}

const PAGE = `/sessions/${ID}?source=mecha`;

test("the counters of each run stand beside the transcript", async ({ page }) => {
  await page.goto(PAGE);
  const runs = page.getByRole("complementary", { name: "Runs" });
  await expect(runs).toContainText("Run 1");
  await expect(runs).toContainText("400");
  await expect(runs).toContainText("Run 2");
  await expect(runs).toContainText("loop");
  await expect(page.getByRole("region", { name: "Transcript" })).toContainText("First question");
});

test("large counters part no word beside them, and a folder that is not told leaves no gap", async ({
  page,
}) => {
  await page.goto(`/sessions/${LONG_ID}?source=mecha`);
  const runs = page.getByRole("complementary", { name: "Runs" });
  await expect(runs).toContainText("11\u202f062\u202f189");
  expect(await partedWords(page, /\b(?:turns|errors|staged|malformed|blocked|compacted|written)\b/g)).toEqual(
    [],
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await runs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(page.locator("main bdi:empty")).toHaveCount(0);
});

test("the transcript comes a page at a time", async ({ page }) => {
  const answers: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/entries")) answers.push(sizeOf(response));
  });
  const document = await page.goto(PAGE);
  expect((await document?.body())?.length).toBeLessThan(150_000);
  await hydrated(page);
  await expect(page.getByText("answer number 300", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Read on" }).scrollIntoViewIfNeeded();
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  expect(Math.max(...(await Promise.all(answers)))).toBeLessThan(200_000);
});

test("n goes to the next failed call, far beyond what was read, and the address says where", async ({
  page,
}) => {
  await page.goto(PAGE);
  await listening(page, 2);
  await page.keyboard.press("n");
  await expect(page.getByText("answer number 10", { exact: true })).toBeInViewport();
  await page.getByRole("button", { name: /next failed call/ }).click();
  await expect(page.getByText("answer number 350", { exact: true })).toBeInViewport();
  await expect(page.getByText("answer number 349", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/at=\d+%3A0|at=\d+:0/);
  await page.keyboard.press("n");
  await expect(page.getByText("No further failed call")).toBeVisible();
  await page.reload();
  await expect(page.getByText("answer number 350", { exact: true })).toBeInViewport();
  await hydrated(page);
  await page.getByRole("button", { name: "From the start" }).click();
  await expect(page.getByText("First question")).toBeVisible();
});

test("a long result is folded with its size and opens whole", async ({ page }) => {
  await page.goto(`/sessions/${LONG_ID}?source=mecha`);
  await hydrated(page);
  await expect(page.getByText("line 3999 of a long answer")).toHaveCount(0);
  await page.getByRole("button", { name: `show all 106\u202f889 characters` }).click();
  await expect(page.getByText("line 3999 of a long answer")).toHaveCount(1);
  await page.getByRole("button", { name: "fold" }).click();
  await expect(page.getByText("line 3999 of a long answer")).toHaveCount(0);
});

test("an id is looked up and never a path", async ({ page, request, dashboard }) => {
  for (const id of ["..%2f..%2fetc%2fpasswd", "%00", "nobody", "a".repeat(2000), "%2e%2e"]) {
    const answer = await request.get(`${dashboard.url}/api/sessions/${id}/entries?source=mecha`);
    expect([400, 404]).toContain(answer.status());
    expect(await answer.text()).not.toContain("root:");
  }
  await page.goto("/sessions/nobody?source=mecha");
  await expect(page.getByRole("heading", { name: "No session has this id" })).toBeVisible();
});

test("a place that is none is answered with words", async ({ page, request, dashboard }) => {
  for (const from of ["x", "-1:0", "999999999999:0", "1e3:0"]) {
    const answer = await request.get(`${dashboard.url}/api/sessions/${ID}/entries`, { params: { from } });
    expect(answer.ok()).toBe(false);
    expect(await answer.json()).toEqual({ problem: expect.any(String) });
  }
  await page.goto(`${PAGE}&at=nowhere`);
  await expect(page.getByText("at names no place in a transcript")).toBeVisible();
});
