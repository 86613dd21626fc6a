import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { Scan } from "#lib/sources/source.ts";
import { type Checked, checkSession } from "./format-check.ts";

export type AgentHome = { home: string; workspace: string; sessions: string };

/**
 * A person's home with a workspace in it, and a provider `s` that plays the given script. `toml`: more of the
 * configuration.
 */
export function agentHome(home: string, script: object | null, toml = ""): AgentHome {
  const mecha = path.join(home, ".mecha");
  const workspace = path.join(home, "ws");
  mkdirSync(mecha, { recursive: true });
  mkdirSync(workspace, { recursive: true });
  writeFileSync(path.join(workspace, "notes.txt"), "the first line\nthe second\n");
  const provider = script === null ? "" : '[providers.s]\nkind = "scripted"\nscript = "script.json"\n';
  if (script !== null)
    writeFileSync(path.join(mecha, "script.json"), JSON.stringify({ name: "s", ...script }));
  writeFileSync(path.join(mecha, "config.toml"), `${toml}\n${provider}`);
  return { home, workspace, sessions: path.join(mecha, "sessions") };
}

/** The only session there is. */
export function onlySession(sessions: string): { id: string; file: string; content: Buffer } {
  const names = readdirSync(sessions);
  const [name] = names;
  if (name === undefined || names.length > 1) throw new Error(`sessions: ${names.join(", ")}`);
  const file = path.join(sessions, name);
  return { id: path.basename(name, ".jsonl"), file, content: readFileSync(file) };
}

/** The only session's check by the format's rules alone, and what the scanner makes of it. */
export async function bothReaders(
  sessions: string,
  order: "run" | "chat",
  killed = false,
): Promise<{ checked: Checked; scan: Scan }> {
  const { id, content } = onlySession(sessions);
  const checked = checkSession(content, { id, order, killed });
  return { checked, scan: await scanRuns({ kind: "mecha", place: sessions }) };
}

/** The rows of both, counter by counter, in one shape. */
export function rowsOf({ checked, scan }: { checked: Checked; scan: Scan }) {
  const keys = Object.keys(checked.rows[0]?.counters ?? {});
  const scanned = scan.runs.map((run) => ({
    provider: run.provider,
    model: run.model,
    counters: Object.fromEntries(keys.map((key) => [key, run[key as keyof typeof run]])),
  }));
  return { checked: checked.rows, scanned };
}
