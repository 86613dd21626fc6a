import { aCard, aReport, aRun } from "#tests/unit/eval/cards.ts";
import { aRaw, aSource } from "#tests/unit/verdict/raw.ts";
import { expect, test } from "./dashboard.ts";
import { listening, type Places, storeVerdicts, withResults, writeCard, writeText } from "./results.ts";

const SCRIPT = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>';
const IDS = [
  `${SCRIPT}\u202egnp`,
  "../../etc/passwd",
  "a/b?c=d&e#f%2F",
  "=HYPERLINK(1)",
  "__proto__",
  "tab\there|bar",
  "😀\u2028",
];
const NAME = `a & b,"c"='<i>.json`;
// Bidirectional marks and control characters, line ends and tabs apart.
const UNSEEN = /[\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/u;

function fill(places: Places) {
  const runs = IDS.map((id) =>
    aRun({
      id,
      passed: false,
      tags: [SCRIPT, "constructor"],
      checks: [{ name: SCRIPT, passed: false, detail: `\u001b[31m${SCRIPT}\u202e` }],
      tools_called: [SCRIPT, "fs_read\u202e"],
      text: `[x](javascript:window.hacked=1) ${SCRIPT} \u202eabc\u0007 ${"long ".repeat(3000)}`,
    }),
  );
  writeCard(places, { name: NAME, report: aReport(runs, { model: SCRIPT, provider: "</title>" }) });
  writeCard(places, aCard("plain.json", Object.fromEntries(IDS.map((id) => [id, "✓"]))));
  const arms = {
    baseline: aSource({ label: SCRIPT, name: NAME }),
    candidate: aSource({ label: "b", name: "plain.json", model: SCRIPT }),
  };
  const prediction = {
    change_class: "config",
    change: `${SCRIPT}\u202e`,
    metric: null,
    rationale: SCRIPT,
    made_at: null,
  } as const;
  const raw = aRaw("++++++++", "++++");
  storeVerdicts(places, [
    {
      ...raw,
      arms,
      prediction,
      episodes: raw.episodes.map((one, at) => ({ ...one, episode: IDS[at] ?? one.episode })),
    },
  ]);
  writeText(places.results, `${SCRIPT.replaceAll("/", "_")}.json`, '{"note":"x","runs":[{}]}');
}

withResults(fill);

const card = `cards=${encodeURIComponent(NAME)}`;

test("what a card or a verdict says is text everywhere, and nothing of it runs", async ({ page }) => {
  await page.goto("/scorecards");
  const verdict = await page.getByRole("list", { name: "Verdicts" }).getByRole("link").getAttribute("href");
  for (const path of [
    "/scorecards",
    `/scorecards/compare?${card}&cards=plain.json`,
    `/scorecards/compare?${card}&cards=plain.json&case=${encodeURIComponent(IDS[0] ?? "")}`,
    `/scorecards/compare?cards=${encodeURIComponent(SCRIPT)}&baseline=${encodeURIComponent(SCRIPT)}&tag=${encodeURIComponent(`${SCRIPT}\u202e`)}`,
    verdict ?? "",
  ]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(await page.locator("img, main script").count()).toBe(0);
    const texts = await page.locator("main, [role=dialog]").allTextContents();
    for (const text of texts) expect(text).not.toMatch(UNSEEN);
  }
});

test("every case opens, whatever its id is", async ({ page }) => {
  await page.goto(`/scorecards/compare?${card}&cards=plain.json`);
  await listening(page);
  await expect(page.locator("[data-index] a")).toHaveCount(IDS.length);
  for (let index = 0; index < IDS.length; index++) {
    await page.locator(`[data-index="${index}"] a`).click();
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByRole("region").first()).toContainText("✗ ");
    await page.reload();
    await expect(drawer.getByRole("region").first()).toContainText("✗ ");
    await listening(page, 3);
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
  }
});

test("a long answer is folded, and fetched whole when it is asked for", async ({ page }) => {
  await page.goto(`/scorecards/compare?${card}&case=__proto__`);
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: /show 4000 of 15/ }).click();
  await drawer.getByRole("button", { name: "read all of this run" }).click();
  await expect(drawer.getByRole("button", { name: "read all of this run" })).toHaveCount(0);
  await expect.poll(async () => (await drawer.textContent())?.split("long ").length).toBeGreaterThan(3000);
});

test("a name leads to no file outside the results folders", async ({ request, dashboard }) => {
  for (const name of [
    "../data/mecha.db",
    "/etc/passwd",
    "..%2F..%2Fx.json",
    "x\u0000.json",
    "2:plain.json",
  ]) {
    const query = new URLSearchParams({ cards: name, format: "json" });
    const answer = await request.get(`${dashboard.url}/api/scorecards/matrix?${query}`);
    expect([name, answer.status()]).toEqual([name, 404]);
    expect(await answer.text()).toContain("no results folder holds");
    const page = await request.get(`${dashboard.url}/verdicts/${encodeURIComponent(name)}`);
    expect(await page.text()).not.toContain("root:");
  }
});

test("the answers for one case are bounded, whatever is asked for", async ({ request, dashboard }) => {
  const ask = (more: string) => request.get(`${dashboard.url}/api/scorecards/case?${card}&${more}`);
  expect((await ask("")).status()).toBe(400);
  for (const more of [
    "case=__proto__",
    "case=__proto__&run=0",
    "case=nobody",
    "case=__proto__&from=99999999999",
    "case=__proto__&run=-1",
  ]) {
    const answer = await ask(more);
    expect([more, answer.status()]).toEqual([more, 200]);
    expect((await answer.body()).length).toBeLessThan(250_000);
  }
});
