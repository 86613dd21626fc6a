import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./dashboard.ts";

/** Each page is looked at in both widths and both themes. */
export const LOOKS = [
  { name: "light, 1440 wide", colorScheme: "light", width: 1440 },
  { name: "dark, 390 wide", colorScheme: "dark", width: 390 },
] as const;
/** What the other theme of a page can break: it is the same page in other colours. */
const OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Shows the page in a look, and gives the test the time that axe takes for many pages. */
export async function wear(page: Page, { colorScheme, width }: (typeof LOOKS)[number]): Promise<void> {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
}

/** Demands of the page as it stands that axe finds nothing in either theme and that nothing scrolls sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [theme, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await keepPicture(page, theme);
  // Our pages have no frames, so axe need not look into them, which takes it a page of its own.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .analyze();
  expect([page.url(), ...violations.map(inWords)]).toEqual([page.url()]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect([page.url(), wide]).toEqual([page.url(), page.viewportSize()?.width]);
  await turn(page, other);
  await keepPicture(page, other);
  expect([page.url(), other, ...(await barriersOfColour(page))]).toEqual([page.url(), other]);
  await turn(page, theme);
}

/** Gives the page the other theme, and waits until it wears it. */
async function turn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const before = await ink();
  await page.emulateMedia({ colorScheme });
  await expect.poll(ink).not.toBe(before);
}

type Violation = { id: string; nodes: readonly { html: string }[] };
type Axe = { run(of: Document, options: object): Promise<{ violations: Violation[] }> };

/** What the axe that is in the page already finds in its colours. */
async function barriersOfColour(page: Page): Promise<string[]> {
  const options = { runOnly: OF_COLOUR, resultTypes: ["violations"] };
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: Axe }).axe.run(document, options),
    options,
  );
  return violations.map(inWords);
}

function inWords({ id, nodes }: Violation): string {
  return `${id}: ${nodes.map(({ html }) => html).join(" ")}`;
}

let pictures = 0;

/** Where a person wants to look at every page: `MECHA_SHOTS` names the folder. */
async function keepPicture(page: Page, theme: string): Promise<void> {
  const folder = process.env.MECHA_SHOTS;
  if (folder === undefined) return;
  const name = new URL(page.url()).pathname.replaceAll(/\W+/g, "-");
  pictures += 1;
  const width = page.viewportSize()?.width;
  await page.screenshot({ path: `${folder}/${pictures}${name}-${theme}-${width}.png`, fullPage: true });
}
