import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { recordAudit } from "#lib/access/audit.io.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { mended } from "#lib/utf8.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import { makeShare } from "#lib/verdict/share.io.ts";
import { listVerdicts, saveVerdict } from "#lib/verdict/store.io.ts";
import { aReport, aRun } from "#tests/unit/eval/cards.ts";
import { aRaw, aSource } from "#tests/unit/verdict/raw.ts";
import { expect, open, test } from "./dashboard.ts";
import { aRequest, saveExperiment } from "./experiments-store.ts";
import { HOSTILE } from "./hostile-strings.ts";
import { type Place, withDbOf, withPlace } from "./loop-place.ts";
import { aDiagnosis, saveAll } from "./proposals-store.ts";
import { writeStore, writeTriggers } from "./store.ts";

// Control and bidirectional characters; line ends and tabs apart.
const UNSEEN = /[\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/u;
const SESSIONS = HOSTILE.map((_, at) => `20261129T080000-${at.toString(16).padStart(8, "0")}`);
const places: { experiments: string[]; verdicts: string[] } = { experiments: [], verdicts: [] };

/** Ids and names of files are shorter than a text may be. */
const short = (text: string): string => text.slice(0, 500);

withPlace({ cases: 12 }, (place) => {
  writeSessions(place);
  writeCards(place);
  withDbOf(place, (db) => {
    saveAll(db, HOSTILE.map(hostileDiagnosis));
    for (const at of [0, 12, 24, 36, 48]) {
      const texts = HOSTILE.slice(at, at + 12);
      const [first = "", second = ""] = texts;
      const cases = texts.map((text) => ({ id: short(text), a: "pf", b: "e." }));
      const request = aRequest({
        rationale: texts.join("\n").slice(0, 4000),
        casesFile: `/tmp/${short(first)}`,
        provider: short(second),
        model: short(first),
        tags: texts.map(short),
        overrides: [short(first)],
        judge: { provider: short(first), model: second.slice(0, 100_000) },
      });
      const state = at % 24 === 0 ? "running" : "failed";
      places.experiments.push(saveExperiment(db, { request, state, cases, problem: first, log: texts }));
      recordAudit(db, {
        at: Date.now(),
        who: short(first),
        action: "enqueue",
        subject: second,
        detail: texts.join(" "),
      });
    }
    for (const at of [0, 20, 40]) saveVerdict(db, hostileVerdict(HOSTILE.slice(at, at + 20)), Date.now());
    for (const { id } of listVerdicts(db, { limit: 10 })) {
      places.verdicts.push(id);
      for (const name of HOSTILE.map((text) => text.slice(0, 80)).filter((text) => text.trim() !== ""))
        makeShare(db, { verdictId: id, name, expiresAt: null, now: Date.now() });
    }
  });
});

function writeSessions({ home }: Place): void {
  writeStore(
    home,
    HOSTILE.map((text, at) => ({
      id: SESSIONS[at] ?? "",
      created_at: "2026-11-29T08:00:00Z",
      title: text,
      model: at % 3 === 0 ? text : `model-${at % 5}`,
      provider: text,
      workspace: `/tmp/${text}`,
      runs: [{ prompt: text, calls: [{ tool: text, text, result: "failed" }] }],
    })),
  );
  const [name = "", other = ""] = HOSTILE;
  const toml = `description = ${JSON.stringify(name)}\nschedule = "0 9 * * *"\nprompt = ${JSON.stringify(other)}\n`;
  writeTriggers(home, { morning: toml }, []);
}

function writeCards({ work }: Place): void {
  const results = path.join(work, "results");
  mkdirSync(results);
  const runs = HOSTILE.map((text, at) =>
    aRun({
      id: short(`${at} ${text}`),
      passed: at % 2 === 0,
      tags: [short(text)],
      checks: [{ name: text, passed: false, detail: text }],
      tools_called: [text],
      text,
      error: at % 7 === 0 ? text : null,
    }),
  );
  for (const name of ["a.json", "b.json"])
    writeFileSync(
      path.join(results, name),
      writeReport(aReport(runs, { model: short(HOSTILE[5] ?? ""), provider: short(HOSTILE[40] ?? "") })),
    );
}

function hostileDiagnosis(text: string, at: number) {
  const parts = { subject: text, provider: text, model: text, brief: text, reply: text };
  const kinds = ["declined", "unparsable", "failed"] as const;
  const kind = kinds[at % 5];
  if (kind !== undefined) return aDiagnosis({ kind, reason: text }, parts);
  const changeClass = CHANGE_CLASSES[at % CHANGE_CLASSES.length] ?? "config";
  const proposal = { class: changeClass, change: text, metric: "turns", rationale: text } as const;
  if (at % 5 === 3) return aDiagnosis({ kind: "refused", proposal, reason: text }, parts);
  return aDiagnosis({ kind: "proposal", proposal, command: ["mecha", "eval", "--ab-config", text] }, parts);
}

/** A document has no place for half a character; it is refused before there is one. */
function hostileVerdict(hostile: readonly string[]) {
  const short = (text: string) => mended(text.slice(0, 500));
  const texts = hostile.map(mended);
  const raw = aRaw("++++++++--==", "++++===");
  const [first = "", second = ""] = texts;
  return assemble({
    ...raw,
    made_by: short(second),
    arms: {
      baseline: aSource({ label: first, name: short(first), model: second, provider: first }),
      candidate: aSource({ label: second, model: first }),
    },
    prediction: {
      change_class: "config",
      change: mended(texts.join(" ").slice(0, 5000)),
      metric: null,
      rationale: second,
      made_at: null,
    },
    episodes: raw.episodes.map((one, at) => ({
      ...one,
      episode: short(`${one.episode} ${texts[at] ?? ""}`),
    })),
  });
}

const PAGES = [
  "/?days=all",
  "/findings",
  "/sessions",
  ...[0, 24, 40, 51, 52].map((at) => `/sessions/${SESSIONS[at]}?source=mecha`),
  "/scorecards",
  "/scorecards/compare?cards=a.json&cards=b.json",
  "/proposals",
  "/proposals/calibration",
  "/experiments",
  "/experiments?new=1",
  "/review/2026-W48",
  "/audit",
];

for (const width of [1440, 390]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 900 } });
    test("sixty hostile texts run nowhere, hide nothing and break no page", async ({ page }) => {
      test.setTimeout(400_000);
      page.on("dialog", (dialog) => {
        throw new Error(`a dialog: ${dialog.message()}`);
      });
      const foreign: string[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.hostname !== "127.0.0.1" && url.protocol !== "data:") foreign.push(request.url());
      });
      const more = [
        ...places.experiments.map((id) => `/experiments/${id}`),
        ...places.experiments.map((id) => `/experiments?from=${id}`),
        ...places.verdicts.map((id) => `/verdicts/${id}`),
      ];
      for (const one of [...PAGES, ...more]) {
        await open(page, one);
        await check(page, one, width);
      }
      await olderProposals(page, width);
      expect(foreign).toEqual([]);
    });
  });
}

/** Every diagnosis there is, with what is folded opened. */
async function olderProposals(page: Page, width: number) {
  let next: string | null = "/proposals";
  let seen = 0;
  while (next !== null) {
    await open(page, next);
    seen += await page.getByRole("list", { name: "Diagnoses" }).locator("li[id]").count();
    await page.evaluate(() => {
      for (const one of document.querySelectorAll("main details"))
        if (one instanceof HTMLDetailsElement) one.open = true;
    });
    await check(page, next, width);
    const older = page.getByRole("link", { name: "older" });
    next = (await older.count()) === 0 ? null : await older.getAttribute("href");
  }
  expect(seen).toBe(HOSTILE.length);
}

async function check(page: Page, name: string, width: number) {
  const found = await page.evaluate(() => ({
    hacked: "hacked" in window,
    title: document.title,
    wide: document.documentElement.scrollWidth,
    // What the page itself never has.
    planted: document.querySelectorAll(
      "main :is(img, script, iframe, object, embed, video, base, meta, link, style, math), [onerror], [onload]",
    ).length,
    leads: [...document.querySelectorAll("a[href]")]
      .map((link) => (link instanceof HTMLAnchorElement ? link.href : ""))
      .filter((href) => !href.startsWith(location.origin)),
    // What stands in a field is what was typed, to be typed on.
    text: [...document.querySelectorAll("main *:not(textarea)")]
      .flatMap((one) => [...one.childNodes])
      .map((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : ""))
      .join("\n"),
    shown: (document.querySelector("main h1")?.getBoundingClientRect().height ?? 0) > 0,
  }));
  // Soft: what one page does says nothing of the next.
  expect
    .soft([name, found.hacked, found.planted, found.leads, found.shown])
    .toEqual([name, false, 0, [], true]);
  expect.soft([name, found.wide]).toEqual([name, width]);
  expect.soft([name, UNSEEN.exec(found.text)?.[0] ?? null]).toEqual([name, null]);
}
