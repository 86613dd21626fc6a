"use client";

import { useActionState, useState } from "react";
import type { MadeShare } from "#app/verdicts/[id]/actions.ts";
import { visible } from "#lib/format.ts";
import type { ShareLink } from "#lib/verdict/share.io.ts";
import { Command } from "../command.tsx";
import { dateTime } from "../dates.ts";

type ShareProps = {
  links: ShareLink[];
  zone: string;
  make: (before: MadeShare | null, form: FormData) => Promise<MadeShare>;
  revoke: (form: FormData) => Promise<void>;
};

/** Links that open this one verdict for somebody who sees nothing else here. */
export function SharePart({ links, zone, make, revoke }: ShareProps) {
  const [made, act, pending] = useActionState(make, null);
  return (
    <>
      <p className="mb-3 max-w-[72ch] text-sm">
        Whoever has the link sees this verdict as it stands and nothing else. The link is shown once, here;
        only its hash is kept.
      </p>
      <form action={act} aria-label="Make a link" className="flex flex-wrap items-end gap-2">
        <label className="text-muted text-xs">
          <span className="mb-1 block">Who it is for</span>
          <input name="name" required maxLength={80} autoComplete="off" className="control w-56 text-ink" />
        </label>
        <label className="text-muted text-xs">
          <span className="mb-1 block">It works for</span>
          <select name="days" defaultValue="30" className="control text-ink">
            <option value="1">1 day</option>
            <option value="7">7 days</option>
            <option value="30">30 days</option>
            <option value="365">a year</option>
            <option value="never">ever, until revoked</option>
          </select>
        </label>
        <button type="submit" disabled={pending} aria-busy={pending} className="control">
          Make a link
        </button>
      </form>
      <Made made={made} />
      {links.length > 0 && <LinkList links={links} zone={zone} revoke={revoke} />}
    </>
  );
}

function Made({ made }: { made: MadeShare | null }) {
  if (made === null) return null;
  if ("problem" in made) {
    return (
      <p role="alert" className="mt-2 text-broken text-sm">
        {`✕ ${made.problem}`}
      </p>
    );
  }
  return (
    <div role="status" className="mt-3 rounded border border-line bg-raised px-3 py-2 text-sm">
      <p className="mb-2">
        {"The link for "}
        <bdi className="font-semibold">{visible(made.name)}</bdi>
        {". Copy it now: it is not shown again."}
      </p>
      <Command line={made.url} label="link" />
    </div>
  );
}

function LinkList({
  links,
  zone,
  revoke,
}: {
  links: ShareLink[];
  zone: string;
  revoke: ShareProps["revoke"];
}) {
  return (
    <ul aria-label="Links to this verdict" className="mt-4 text-sm">
      {links.map((link) => (
        <li key={link.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b py-1.5">
          <bdi className="min-w-32 break-words">{visible(link.name)}</bdi>
          <span className="text-muted text-xs">{`made ${dateTime(link.createdAt, zone)}`}</span>
          <span className="text-muted text-xs">
            {link.expiresAt === null
              ? "no end"
              : `${link.state === "expired" ? "ended" : "ends"} ${dateTime(link.expiresAt, zone)}`}
          </span>
          <span className="ml-auto">
            {link.state === "open" ? (
              <Revoke id={link.id} name={link.name} revoke={revoke} />
            ) : (
              <span className="text-muted text-xs">
                {link.state === "revoked" ? `✕ revoked ${dateTime(link.revokedAt ?? 0, zone)}` : "○ expired"}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Asked once more: whoever has the link finds it closed at once, and it cannot be opened again. */
function Revoke({ id, name, revoke }: { id: number; name: string; revoke: ShareProps["revoke"] }) {
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <button
        type="button"
        onClick={() => setSure(true)}
        aria-label={`Revoke the link for ${visible(name)}`}
        className="link text-xs"
      >
        revoke
      </button>
    );
  }
  return (
    <form action={revoke} className="flex items-center gap-2 text-xs">
      <input type="hidden" name="link" value={id} />
      <span>Close it for good?</span>
      <button type="submit" className="control text-broken">
        Revoke
      </button>
      <button type="button" onClick={() => setSure(false)} className="control">
        Keep
      </button>
    </form>
  );
}
