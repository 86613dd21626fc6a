"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { currentWho } from "#app/_access/who.ts";
import { attempt } from "#app/attempt.ts";
import { fromDatabase } from "#app/database.ts";
import { loadDocument } from "#app/verdict-loaders.ts";
import { audited } from "#lib/access/audit.io.ts";
import { findShare, makeShare, parseShareEnd, parseShareName, revokeShare } from "#lib/verdict/share.io.ts";

/** A link that was made, with the one look at its token; or why none was. */
export type MadeShare = { name: string; url: string } | { problem: string };

/** Makes a link to the verdict `id` from the fields `name` and `days`. */
export async function makeShareAction(
  id: string,
  _before: MadeShare | null,
  form: FormData,
): Promise<MadeShare> {
  const who = await currentWho();
  const name = parseShareName(textOf(form, "name"));
  if (!name.ok) return { problem: name.problem };
  const now = Date.now();
  const expiresAt = parseShareEnd(textOf(form, "days"), now);
  if (!expiresAt.ok) return { problem: expiresAt.problem };
  const made = await attempt(async () => {
    const verdictId = loadDocument(String(id))?.id;
    if (verdictId === undefined) return null;
    const share = { verdictId, name: name.value, expiresAt: expiresAt.value, now };
    return fromDatabase((db) =>
      audited(
        db,
        () => makeShare(db, share),
        () => ({ at: now, who, action: "share", subject: verdictId, detail: name.value }),
      ),
    );
  });
  if (!made.ok) return { problem: made.problem };
  if (made.value === null) return { problem: "this verdict is not stored here any more" };
  refresh();
  return { name: name.value, url: `${await ownOrigin()}/v/${made.value.token}` };
}

/** Closes the link of the field `link`; one that is closed already stays so. */
export async function revokeShareAction(form: FormData): Promise<void> {
  const who = await currentWho();
  const link = Number(textOf(form, "link"));
  const now = Date.now();
  if (Number.isSafeInteger(link)) {
    fromDatabase((db) =>
      audited(
        db,
        () => (revokeShare(db, link, now) ? findShare(db, link) : null),
        (share) =>
          share && { at: now, who, action: "revoke_share", subject: share.verdictId, detail: share.name },
      ),
    );
  }
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
