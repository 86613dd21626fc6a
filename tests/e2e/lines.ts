import type { Page } from "@playwright/test";

/** Widths of a window in which words wrap in many ways. */
const WIDTHS = [320, 345, 360, 375, 390, 412, 430, 600, 768, 1440];

/** What in the page matches `pattern`, which is global, and is parted by the end of a line at some width. */
export async function partedWords(page: Page, pattern: RegExp): Promise<string[]> {
  const parted: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const found = await page.evaluate(findParted, pattern);
    parted.push(...found.map((words) => `${width}: ${words}`));
  }
  return parted;
}

function findParted(pattern: RegExp): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.querySelector("main") ?? document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const { 0: words, index } of (text.textContent ?? "").matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + words.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(words);
    }
  }
  return found;
}
