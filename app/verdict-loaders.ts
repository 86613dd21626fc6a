import "server-only";
import { connection } from "next/server";
import { cache } from "react";
import { decodedPart } from "#app/_ui/href.ts";
import { fromDatabase } from "#app/database.ts";
import { type Params, parseWindowAsk } from "#app/search.ts";
import { UserError } from "#lib/errors.ts";
import { placeOfListed } from "#lib/eval/list-reports.io.ts";
import { readSettings } from "#lib/settings.io.ts";
import { viewOfAbFile } from "#lib/verdict/ab-view.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { listShares, openShare, type ShareLink } from "#lib/verdict/share.io.ts";
import { findVerdict, listVerdicts, type VerdictRow } from "#lib/verdict/store.io.ts";
import { readVerdictFile, verificationText, verifyFile } from "#lib/verdict/verdict-file.io.ts";
import { type VerdictView, viewOf } from "#lib/verdict/view.ts";

/** Verdicts on one page of their list. */
const VERDICT_ROWS = 20;

export type VerdictList = {
  rows: VerdictRow[];
  /** The id after which the list goes on; null at its end. */
  next: string | null;
  /** Why there is no list; null where there is one. */
  problem: string | null;
};

/** Stored verdicts, newest first, after the one whose id is `older`. */
export function loadVerdictList(older: string | null): VerdictList {
  try {
    const rows = fromDatabase((db) => {
      const last = older === null ? null : findVerdict(db, older);
      const before = last === null ? {} : { before: { createdAt: last.created_at, id: last.id } };
      return listVerdicts(db, { limit: VERDICT_ROWS + 1, ...before });
    });
    if (rows === null) return { rows: [], next: null, problem: null };
    const shown = rows.slice(0, VERDICT_ROWS);
    return {
      rows: shown,
      next: rows.length > VERDICT_ROWS ? (shown.at(-1)?.id ?? null) : null,
      problem: null,
    };
  } catch (error) {
    // The cards stand in other files: a list that cannot be shown must not take them along.
    if (error instanceof UserError) return { rows: [], next: null, problem: error.message };
    throw error;
  }
}

export type VerdictPage = {
  view: VerdictView;
  /** Of a stored verdict; a file can be passed on as it is. */
  shares: ShareLink[] | null;
  /** The file it was read from; null for a stored one. */
  file: { name: string; place: string } | null;
  /** What in the file does not follow from its measurements; empty for a sound one. */
  disagreements: string[];
  zone: string;
  problems: string[];
};

/** The verdict of an address: a stored one by its id, or a file of a results folder by its name; null when there is none. */
export const loadVerdict = cache(async (id: string, params: Params): Promise<VerdictPage | null> => {
  await connection();
  const { zone: serverZone } = readSettings();
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, serverZone, null);
  const spelled = decodedPart(id);
  const found = spelled.endsWith(".json") ? await fromFile(spelled) : fromStore(spelled);
  return found && { ...found, zone: ask.zone, problems };
});

/** The stored document of an id in an address; null when there is none. Throws a UserError when it is damaged. */
export function loadDocument(address: string): VerdictDocument | null {
  try {
    return fromDatabase((db) => findVerdict(db, decodedPart(address)));
  } catch (error) {
    if (error instanceof UserError && error.code === "not_found") return null;
    throw error;
  }
}

/** The verdict that a token opens; null for a wrong, an expired and a revoked one alike. */
export function loadShared(token: string): VerdictDocument | null {
  return fromDatabase((db) => openShare(db, token, Date.now()));
}

type Found = Omit<VerdictPage, "zone" | "problems">;

function fromStore(id: string): Found | null {
  const document = loadDocument(id);
  if (document === null) return null;
  return {
    view: viewOf(document),
    shares: fromDatabase((db) => listShares(db, document.id, Date.now())),
    file: null,
    disagreements: [],
  };
}

async function fromFile(name: string): Promise<Found | null> {
  const place = await placeOfListed(readSettings().resultsDirs, name);
  if (place === null) return null;
  const read = await readVerdictFile(place, name);
  if (!read.ok) throw new UserError("bad_input", read.problem);
  if (read.value.kind === "ab") {
    return {
      view: viewOfAbFile(read.value.file, name),
      shares: null,
      file: { name, place },
      disagreements: [],
    };
  }
  const verification = await verifyFile(place);
  const [headline = "", ...lines] = verificationText(name, verification).trimEnd().split("\n");
  const disagreements = verification.ok ? [] : lines.length > 0 ? lines : [headline];
  return { view: viewOf(read.value.document), shares: null, file: { name, place }, disagreements };
}
