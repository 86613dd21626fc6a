import "server-only";
import { connection } from "next/server";
import { inListOrder } from "#app/_ui/cards/list-order.ts";
import { type CompareAsk, type ListAsk, parseCompareAsk, parseListAsk } from "#app/cards-ask.ts";
import { type CompareView, compareView } from "#app/cards-view.ts";
import type { Params } from "#app/search.ts";
import { UserError } from "#lib/errors.ts";
import { type CardMemo, createCardMemo } from "#lib/eval/card-memo.io.ts";
import { CASE_LIMITS, type CaseDetail, caseDetail, RUN_LIMITS } from "#lib/eval/case-detail.ts";
import type { LeftOut } from "#lib/eval/find-reports.io.ts";
import { LIST_LIMITS, listReports, type ReportFile, type ReportMemo } from "#lib/eval/list-reports.io.ts";
import type { Card } from "#lib/eval/scorecard.ts";
import { readSettings } from "#lib/settings.io.ts";

/** Files on one page of the list. */
export const LIST_ROWS = 100;

export type CardsView = {
  ask: ListAsk;
  /** The files that fit the filters, from `ask.from` on. */
  files: ReportFile[];
  total: number;
  of: number;
  cards: number;
  models: string[];
  folders: string[];
  left_out: LeftOut;
};

/** A page of the list of results, for an address. */
export async function loadCards(
  params: Params,
): Promise<{ view: CardsView; problems: string[]; serverZone: string }> {
  await connection();
  const { zone: serverZone, resultsDirs } = readSettings();
  const { ask, problems } = parseListAsk(params, serverZone);
  const { files, left_out } = await listReports(resultsDirs, LIST_LIMITS, listMemo());
  const fitting = inListOrder(
    files.filter((file) => fits(file, ask)),
    ask.sort,
  );
  // A filter may leave fewer than were there when somebody went to a later page.
  const from = ask.from < fitting.length ? ask.from : 0;
  const models = files.flatMap(({ card }) => (card === null ? [] : [card.model]));
  const view = {
    ask: { ...ask, from },
    files: fitting.slice(from, from + LIST_ROWS),
    total: fitting.length,
    of: files.length,
    cards: files.filter(({ kind }) => kind === "scorecard").length,
    models: [...new Set(models)].sort(),
    folders: resultsDirs,
    left_out,
  };
  return { view, problems, serverZone };
}

function fits({ name, card }: ReportFile, { q, model }: ListAsk): boolean {
  if (model !== null && card?.model !== model) return false;
  const words = q.trim().toLowerCase();
  const text = `${name} ${card?.model ?? ""} ${card?.provider ?? ""}`;
  return words === "" || text.toLowerCase().includes(words);
}

export type Comparison = {
  ask: CompareAsk;
  view: CompareView | null;
  problems: string[];
  serverZone: string;
};

/** The cards that an address names, side by side; those that cannot be read are said. */
export async function loadComparison(params: Params): Promise<Comparison> {
  await connection();
  const { zone: serverZone, resultsDirs } = readSettings();
  const { ask, problems } = parseCompareAsk(params, serverZone);
  const cards: Card[] = [];
  for (const name of ask.cards) {
    const card = await cardMemo().load(resultsDirs, name);
    if (card.ok) cards.push(card.value);
    else problems.push(`${card.problem}.`);
  }
  return { ask, view: cards.length === 0 ? null : compareView(cards), problems, serverZone };
}

/** One case in each of the cards, cut down to what one answer may hold. */
export type CaseAnswer = {
  id: string;
  cards: { name: string; detail: CaseDetail | null; problem: string | null }[];
};

/**
 * What the cards of the address tell of one case: all its runs, or from `run` (a count from 0) that one alone, with
 * more of its texts. Throws a UserError where no case is named.
 */
export async function loadCase(params: Params): Promise<CaseAnswer> {
  const { resultsDirs, zone } = readSettings();
  const { ask } = parseCompareAsk(params, zone);
  const id = typeof params.case === "string" ? params.case : null;
  if (id === null || ask.cards.length === 0) throw new UserError("usage", "name a case and its cards");
  const only = typeof params.run === "string" && /^\d{1,6}$/.test(params.run) ? Number(params.run) : null;
  const from = typeof params.from === "string" && /^\d{1,6}$/.test(params.from) ? Number(params.from) : 0;
  const cards: CaseAnswer["cards"] = [];
  for (const name of ask.cards) {
    const card = await cardMemo().load(resultsDirs, name);
    cards.push(
      card.ok
        ? {
            name,
            detail: caseDetail(card.value.report, id, only ?? from, only === null ? CASE_LIMITS : RUN_LIMITS),
            problem: null,
          }
        : { name, detail: null, problem: card.problem },
    );
  }
  return { id, cards };
}

const MEMOS = Symbol.for("mecha.cards");
type Memos = { list: ReportMemo; cards: CardMemo };

/** The memories of this process: pages and routes each have their own copy of this module's variables. */
function memos(): Memos {
  const place = globalThis as { [MEMOS]?: Memos };
  place[MEMOS] ??= { list: new Map(), cards: createCardMemo() };
  return place[MEMOS];
}

/** What this process remembers of cards. */
export function cardMemo(): CardMemo {
  return memos().cards;
}

/** Files come and go; what is remembered of those that went is dropped with the rest from time to time. */
function listMemo(): ReportMemo {
  const { list } = memos();
  if (list.size > 2 * LIST_LIMITS.files_max) list.clear();
  return list;
}
