import path from "node:path";
import type { Parsed } from "#lib/errors.ts";
import { isZone } from "#lib/time.ts";

/** Where mecha reads and listens, as the environment says. Every path is absolute. */
export type Settings = {
  mechaHome: string;
  sessionDir: string;
  triggersDir: string;
  /** Where drafts wait for a person, and where rules that were learned are kept. */
  outboxDir: string;
  learningDir: string;
  /** Folders that hold Claude Code's project folders. */
  claudeProjects: string[];
  /** More such folders, read where they are there; that one is missing is not worth a word. */
  claudeProjectsElsewhere: string[];
  /** Folder of our own database and caches. */
  dataDir: string;
  resultsDirs: string[];
  /** `KIND` or `KIND=PATH` each, as written; null = every kind that is found. */
  sourceSpecs: string[] | null;
  /** IANA zone in which days, weeks and months are cut. */
  zone: string;
  /** Names that a request may call this server by, beside the loopback ones; lower case. */
  allowedHosts: string[];
  bind: string;
  port: number;
  /** What `~` and relative paths of later arguments are resolved against. */
  osHome: string;
  cwd: string;
};

export type Surroundings = { osHome: string; cwd: string; systemZone: string };
type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment. Unset and empty mean the default, with one exception that the store's writer makes too:
 * MECHA_SESSION_DIR counts as set even when empty, and then names the working folder. MECHA_SOURCES and
 * MECHA_RESULTS_DIR are lists: the first is cut at commas, so that a path may hold spaces, the second at colons.
 */
export function settingsFrom(env: Env, around: Surroundings): Parsed<Settings> {
  const place = (text: string) => resolvePlace(text, around);
  const mechaHome = place(env.MECHA_HOME || "~/.mecha");
  const port = parsePort(env.PORT);
  if (!port.ok) return port;
  const zone = env.MECHA_ZONE?.trim() || around.systemZone || "UTC";
  // Whoever gives the machine's own zone has made sure of it; asking again loads Intl, which costs a short command 15 ms.
  if (zone !== around.systemZone && !isZone(zone)) {
    return {
      ok: false,
      problem: `MECHA_ZONE: ${JSON.stringify(zone)} is not a time zone; write one such as Europe/Zurich`,
    };
  }
  const hosts = parseHosts(env.MECHA_ALLOWED_HOSTS ?? "");
  if (!hosts.ok) return hosts;
  const bind = env.MECHA_BIND?.trim() || "127.0.0.1";
  if (!HOST.test(bind))
    return { ok: false, problem: `MECHA_BIND: ${JSON.stringify(bind)} is not an address` };
  return {
    ok: true,
    value: {
      mechaHome,
      sessionDir:
        env.MECHA_SESSION_DIR === undefined ? path.join(mechaHome, "sessions") : place(env.MECHA_SESSION_DIR),
      triggersDir: env.MECHA_TRIGGERS_DIR ? place(env.MECHA_TRIGGERS_DIR) : path.join(mechaHome, "triggers"),
      outboxDir: env.MECHA_OUTBOX_DIR ? place(env.MECHA_OUTBOX_DIR) : path.join(mechaHome, "outbox"),
      learningDir: env.MECHA_LEARNING_DIR ? place(env.MECHA_LEARNING_DIR) : path.join(mechaHome, "learning"),
      ...claudePlaces(env, place),
      dataDir: env.MECHA_DATA_DIR ? place(env.MECHA_DATA_DIR) : path.join(mechaHome, "dashboard"),
      resultsDirs: parseList(env.MECHA_RESULTS_DIR || "results", ":").map(place),
      sourceSpecs: env.MECHA_SOURCES?.trim() ? parseList(env.MECHA_SOURCES, ",") : null,
      zone,
      allowedHosts: hosts.value,
      bind,
      port: port.value,
      osHome: around.osHome,
      cwd: around.cwd,
    },
  };
}

/**
 * Claude Code takes CLAUDE_CONFIG_DIR as one folder. People with several, one for each account, write them with commas
 * for the tools that count their tokens; a folder whose own name has a comma is still found. Where the variable is not
 * set, some versions kept their transcripts in the configuration folder of the XDG specification.
 */
function claudePlaces(
  env: Env,
  place: (text: string) => string,
): Pick<Settings, "claudeProjects" | "claudeProjectsElsewhere"> {
  const projects = (folder: string) => path.join(place(folder), "projects");
  const written = env.CLAUDE_CONFIG_DIR || null;
  if (written === null) {
    const config = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : "~/.config";
    return {
      claudeProjects: [projects("~/.claude")],
      claudeProjectsElsewhere: [projects(`${config}/claude`)],
    };
  }
  const several = parseList(written, ",");
  if (!written.includes(",") || several.length === 0)
    return { claudeProjects: [projects(written)], claudeProjectsElsewhere: [] };
  return { claudeProjects: several.map(projects), claudeProjectsElsewhere: [projects(written)] };
}

/** An absolute path: `~` is the home folder, anything relative stands in the working folder. */
export function resolvePlace(text: string, around: { osHome: string; cwd: string }): string {
  if (text === "~") return around.osHome;
  if (text.startsWith("~/")) return path.join(around.osHome, text.slice(2));
  return path.resolve(around.cwd, text);
}

const HOST = /^[a-z0-9._:[\]%-]+$/i;

function parsePort(text: string | undefined): Parsed<number> {
  const written = text?.trim() ?? "";
  if (written === "") return { ok: true, value: 3000 };
  const port = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (port <= 65535) return { ok: true, value: port };
  return {
    ok: false,
    problem: `PORT: ${JSON.stringify(written)} is not a port; write a number from 0 to 65535`,
  };
}

function parseHosts(text: string): Parsed<string[]> {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== "");
  const bad = hosts.find((host) => !HOST.test(host));
  if (bad === undefined) return { ok: true, value: hosts.map((host) => host.toLowerCase()) };
  // A wildcard would let any page that resolves its own name to this machine read the dashboard.
  return {
    ok: false,
    problem: `MECHA_ALLOWED_HOSTS: ${JSON.stringify(bad)} is not a host name; wildcards are not taken`,
  };
}

function parseList(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
