import { createHash } from "node:crypto";
import type { Parsed } from "#lib/errors.ts";

/** Where findings are sent. */
export type Target = {
  /** The whole address: it may be a secret, so it is never printed. */
  href: string;
  /** As much of it as may be printed: scheme, host and port. */
  shown: string;
};

const LENGTH_MAX = 4096;

/** An address of http or https. What is wrong is said without repeating the address. */
export function parseTarget(text: string): Parsed<Target> {
  const written = text.trim();
  const url = written.length <= LENGTH_MAX && URL.canParse(written) ? new URL(written) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || !credentialsFit(url))
    return { ok: false, problem: "it takes a whole address that starts with https:// or http://" };
  url.hash = "";
  const hidden = url.pathname !== "/" || url.search !== "";
  return {
    ok: true,
    value: { href: url.href, shown: `${url.protocol}//${url.host}/${hidden ? "…" : ""}` },
  };
}

/** A name and a password, where there are any, that can be read back from their percent signs. */
function credentialsFit({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    // A lone % stands for nothing.
    return false;
  }
}

/**
 * Under which what was sent there is remembered: a hash, for the address may be a secret. Who looks at chosen sources
 * only is told of those alone, so each choice has a memory of its own; null: no choice was made.
 */
export function targetKey(target: Target, sources: readonly string[] | null): string {
  const chosen = sources === null ? [] : [...new Set(sources)].sort();
  return createHash("sha256")
    .update([target.href, ...chosen].join("\n"))
    .digest("hex");
}
