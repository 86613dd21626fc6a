/** The names under which this server may be asked, and the port it listens on. */
export type AccessPolicy = {
  /** Port of the listening socket, as text. */
  port: string;
  /** Further hosts from `MECHA_ALLOWED_HOSTS`: `name` (any port) or `name:port`, lower case. */
  allowed: readonly string[];
};

/** The parts of a request that decide whether it is ours; a missing header is null. */
export type RequestFacts = {
  method: string;
  host: string | null;
  origin: string | null;
  /** `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest`. */
  site: string | null;
  mode: string | null;
  dest: string | null;
  /** Whether it carries a valid bearer token, which no page of another site can make a browser send. */
  bearer?: boolean;
};

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const READING = new Set(["GET", "HEAD", "OPTIONS"]);
const FRAMES = new Set(["iframe", "frame", "object", "embed"]);

/**
 * Why a request is refused, as one line for its sender; null when it may pass.
 * The Host rule stops DNS rebinding; the Origin rule stops other sites from changing anything here; the
 * Fetch Metadata rule stops them from pulling answers into their own pages. A different port of this machine
 * is "same-site" to a browser and still a stranger to us.
 */
export function refusal(facts: RequestFacts, policy: AccessPolicy): string | null {
  const strange = hostRefusal(facts.host, policy);
  if (strange !== null) return strange;
  if (isChange(facts.method) && !isOurOrigin(facts.origin, policy) && !isProgram(facts)) {
    return "A request that changes something must come from this site.";
  }
  if (isForeignFetch(facts)) return "This answer is not for other sites.";
  return null;
}

/** Why a request is refused for the name it was sent to; null when that is ours. */
export function hostRefusal(host: string | null, policy: AccessPolicy): string | null {
  if (isOurHost(host, policy)) return null;
  return "This server only answers to its own address. Name further hosts in MECHA_ALLOWED_HOSTS.";
}

/** Whether a request asks for something to be changed. */
export function isChange(method: string): boolean {
  return !READING.has(method);
}

/** A program that proves who it is, and does not look like a browser, has no origin to name. */
function isProgram({ origin, site, bearer }: RequestFacts): boolean {
  return bearer === true && origin === null && site === null;
}

function isOurHost(host: string | null, { port, allowed }: AccessPolicy): boolean {
  if (host === null) return false;
  const asked = host.toLowerCase();
  const name = asked.replace(/:\d*$/, "");
  // A browser leaves the port away when it is the scheme's own.
  const ours = LOOPBACK.includes(name) && (asked === `${name}:${port}` || (asked === name && port === "80"));
  return ours || allowed.includes(asked) || allowed.includes(name);
}

function isOurOrigin(origin: string | null, policy: AccessPolicy): boolean {
  const host = origin === null ? null : /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
  return host != null && isOurHost(host, policy);
}

function isForeignFetch({ method, site, mode, dest }: RequestFacts): boolean {
  // Programs that are no browsers send none of these headers.
  if (site === null || site === "same-origin" || site === "none") return false;
  const followsLink = mode === "navigate" && READING.has(method) && !FRAMES.has(dest ?? "");
  return !followsLink;
}
