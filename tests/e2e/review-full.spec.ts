import path from "node:path";
import { aRaw, aSource } from "#tests/unit/verdict/raw.ts";
import { expectAccessible } from "./accessible.ts";
import { expect, test, withStore } from "./dashboard.ts";
import { storeVerdicts } from "./results.ts";
import { sheetsOf, storeProposals } from "./review-store.ts";
import { type FakeSession, writeStore } from "./store.ts";

const HOSTILE = [
  "<script>window.ran = 1</script>",
  "<img src=x onerror='window.ran = 1'>",
  "javascript:window.ran=1//\u202egnp",
  "long-".repeat(400),
  "W".repeat(300),
  "{{window.ran = 1}} #{7*7}",
  "مرحبا بالعالم",
  "\u001b[31mred\u0007",
];

/** A week in which everything happens at once, to names that mean harm. */
withStore((home) => {
  const models = [...HOSTILE, ...Array.from({ length: 20 }, (_, n) => `model-${n}`)];
  writeStore(
    home,
    models.flatMap((model, n) => [
      session(model, n, "2026-11-17", false),
      session(model, n, "2026-11-24", true),
    ]),
  );
  const data = path.join(home, "data");
  const [verdict] = storeVerdicts(
    { data, results: "" },
    HOSTILE.flatMap((label, n) => [
      {
        ...aRaw("++++++--=", "++==="),
        arms: { baseline: aSource({ label }), candidate: aSource({ label: `${label} changed` }) },
        created_at: `2026-11-26T12:00:0${n}Z`,
      },
    ]),
  );
  storeProposals(
    data,
    HOSTILE.map((text, n) => ({
      id: `p${n}`,
      change: text,
      subject: text,
      model: text,
      ...(n === 0 && verdict ? { verdictId: verdict.id } : {}),
    })),
  );
  return { MECHA_DATA_DIR: data, MECHA_ZONE: "UTC" };
});

function session(model: string, n: number, day: string, bad: boolean): FakeSession {
  const runs = Array.from({ length: 22 }, () => ({
    calls: ["ok", "failed", bad ? "failed" : "ok"].map((result) => ({ result: result as "ok" | "failed" })),
  }));
  const id = `${day.replaceAll("-", "")}T090000-${String(n).padStart(8, "0")}`;
  const [first, ...rest] = runs;
  const config = { mecha_version: bad ? "2" : "1", effort: bad ? HOSTILE[n % HOSTILE.length] : "low" };
  return { id, created_at: `${day}T09:00:00Z`, model, runs: first ? [{ ...first, config }, ...rest] : [] };
}

for (const width of [1440, 390]) {
  test(`hostile names are text, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/review/2026-W48");
    await expect(page.getByRole("region", { name: "More models" })).toContainText(
      "more models with fewer runs",
    );
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    expect(await page.locator("main :is(script, img)").count()).toBe(0);
    await expectAccessible(page);
  });
}

test("so much still prints on two sheets, from the page and from its file", async ({ page }) => {
  await page.goto("/review/2026-W48");
  await expect(page.getByRole("region", { name: "More models" })).toBeVisible();
  expect(sheetsOf(await page.pdf({ format: "A4" }))).toBe(2);
  const html = await (await page.request.get("/review/2026-W48/html")).text();
  await page.goto("about:blank");
  await page.setContent(html);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  expect(sheetsOf(await page.pdf({ format: "A4" }))).toBe(2);
});
