import type { Parsed } from "#lib/errors.ts";
import { parseIpv4, parseIpv6, refusedAddress } from "./address.ts";

/** What may be fetched: the `[security]` section's part of it. */
export type FetchRules = {
  block_private_ips: boolean;
  /** Empty: every domain. */
  allowed_domains: readonly string[];
  blocked_domains: readonly string[];
};

/**
 * The address that `text` names, relative to `base` for a redirect. Problems never quote it: after a redirect it is
 * text of a stranger's.
 */
export function parseFetchUrl(text: string, rules: FetchRules, base: URL | null): Parsed<URL> {
  if (text.length > 8192) return { ok: false, problem: "an address of more than 8192 characters" };
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : null;
  if (url === null) return { ok: false, problem: "not an absolute http or https address" };
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { ok: false, problem: "neither http nor https" };
  if (url.username !== "" || url.password !== "")
    return { ok: false, problem: "an address with a user name or password in it" };
  const problem = refusedHost(url, rules) ?? (base?.host === url.host ? null : disguised(text, url));
  if (problem !== null) return { ok: false, problem };
  url.hash = "";
  return { ok: true, value: url };
}

/** Also for a host that is an address already: such a host is never looked up. */
function refusedHost(url: URL, rules: FetchRules): string | null {
  const host = bareHost(url.hostname);
  if (isAddress(host) && rules.block_private_ips) {
    const kind = refusedAddress(host);
    if (kind !== null) return `${kind}; security.block_private_ips refuses it`;
  }
  if (rules.blocked_domains.some((domain) => isUnder(host, domain)))
    return "a host among security.blocked_domains";
  if (rules.allowed_domains.length > 0 && !rules.allowed_domains.some((domain) => isUnder(host, domain)))
    return "a host that is not among security.allowed_domains";
  return null;
}

/** `http://2130706433/`, `http://0x7f.1/` and the like: nobody writes them but to get past a rule. */
function disguised(text: string, url: URL): string | null {
  if (parseIpv4(url.hostname) === null || text.includes(url.hostname)) return null;
  return "an IP address that is not written as four decimal numbers";
}

function isAddress(host: string): boolean {
  return parseIpv4(host) !== null || parseIpv6(host) !== null;
}

/** Lower case, without brackets and without the dot that ends a full name. */
function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** The domain itself or a name under it: `example.org` holds `www.example.org`, not `badexample.org`. */
function isUnder(host: string, domain: string): boolean {
  const name = domain.trim().replace(/^\*?\./, "");
  const bracketed = parseIpv6(name) !== null && !name.startsWith("[") ? `[${name}]` : name;
  // Through the parser, so that a name with letters beyond ASCII is compared in the form hosts have.
  const written = `http://${bracketed}/`;
  if (name === "" || !URL.canParse(written)) return false;
  const wanted = bareHost(new URL(written).hostname);
  return host === wanted || (!isAddress(host) && host.endsWith(`.${wanted}`));
}
