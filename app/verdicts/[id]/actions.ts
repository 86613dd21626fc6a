"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { database } from "#app/database.ts";
import { loadDocument } from "#app/verdict-loaders.ts";
import { makeShare, parseShareName, revokeShare } from "#lib/verdict/share.io.ts";

/** A link that was made, with the one look at its token; or why none was. */
export type MadeShare = { name: string; url: string } | { problem: string };

const DAY_MS = 86_400_000;
const DAYS: Record<string, number | null> = { "1": 1, "7": 7, "30": 30, "365": 365, never: null };

/** Makes a link to the verdict `id` from the fields `name` and `days`. */
export async function makeShareAction(
  id: string,
  _before: MadeShare | null,
  form: FormData,
): Promise<MadeShare> {
  const name = parseShareName(textOf(form, "name"));
  if (!name.ok) return { problem: name.problem };
  const days = DAYS[textOf(form, "days")];
  if (days === undefined) return { problem: "how long the link works was not understood" };
  const db = database();
  const document = loadDocument(String(id));
  if (db === null || document === null) return { problem: "this verdict is not stored here any more" };
  const now = Date.now();
  const expiresAt = days === null ? null : now + days * DAY_MS;
  const { token } = makeShare(db, { verdictId: document.id, name: name.value, expiresAt, now });
  refresh();
  return { name: name.value, url: `${await ownOrigin()}/v/${token}` };
}

/** Closes the link of the field `link`; one that is closed already stays so. */
export async function revokeShareAction(form: FormData): Promise<void> {
  const link = Number(textOf(form, "link"));
  const db = database();
  if (db !== null && Number.isSafeInteger(link)) revokeShare(db, link, Date.now());
  refresh();
}

/** Where the person is, as the browser said it; the guard at the door has made sure that it is this server. */
async function ownOrigin(): Promise<string> {
  const sent = await headers();
  return sent.get("origin") ?? `http://${sent.get("host") ?? "127.0.0.1"}`;
}

function textOf(form: FormData, key: string): string {
  const value = form.get(key);
  return typeof value === "string" ? value : "";
}
