import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ExperimentRequest } from "#lib/queue/experiment.ts";
import type { Settings } from "#lib/settings.ts";
import { settingsFrom } from "#lib/settings.ts";
import { agentHome } from "./agent-home.ts";

export type QueueHome = { home: string; casesFile: string; dataDir: string; settings: Settings };

/**
 * A person's home with a case set in it and a provider `s` that plays it; as configured a run has two turns, so that
 * `max_turns=9` helps most cases and none is left as it was.
 */
export function queueHome(home: string, { cases = 12, delayMs = 0 } = {}): QueueHome {
  const { rules, text } = playedCases({ cases, delayMs, tagsOf: () => ["small"] });
  agentHome(home, { rules, otherwise: { text: "cut short" } }, "[agent]\nmax_turns = 2\n");
  const casesFile = path.join(home, "set", "cases.jsonl");
  mkdirSync(path.join(home, "set", "workspace"), { recursive: true });
  writeFileSync(path.join(home, "set", "workspace", "notes.txt"), "a line\n");
  writeFileSync(casesFile, text);
  const settings = settingsFrom({}, { osHome: home, cwd: home, systemZone: "UTC" });
  if (!settings.ok) throw new Error(settings.problem);
  return { home, casesFile, dataDir: settings.value.dataDir, settings: settings.value };
}

/** A case set, and the rules of the script that plays it: case `n` takes `1 + n % 5` turns, each of `delayMs`. */
export function playedCases({
  cases,
  delayMs,
  tagsOf,
}: {
  cases: number;
  delayMs: number;
  tagsOf: (n: number) => string[];
}): { rules: object[]; text: string } {
  const numbers = Array.from({ length: cases }, (_, n) => n);
  const rules = numbers.map((n) => ({
    when: { prompt_is: `case ${n}` },
    steps: [
      ...Array.from({ length: n % 5 }, () => ({
        delay_ms: delayMs,
        calls: [{ tool: "fs_read", input: { path: "notes.txt" } }],
      })),
      { delay_ms: delayMs, text: `answer ${n}` },
    ],
  }));
  const lines = numbers.map((n) =>
    JSON.stringify({
      id: `case-${n}`,
      tags: tagsOf(n),
      prompt: `case ${n}`,
      expect: { contains: [`answer ${n}`] },
    }),
  );
  return { rules, text: `${lines.join("\n")}\n` };
}

export function anExperiment(casesFile: string, parts: Partial<ExperimentRequest> = {}): ExperimentRequest {
  return {
    overrides: ["max_turns=9"],
    changeClass: "config",
    metric: "cut_short",
    rationale: "two turns are too few",
    holdoutIn: 3,
    proposalId: null,
    provider: "s",
    model: null,
    casesFile,
    tags: [],
    runsPerCase: 1,
    concurrency: 4,
    judge: { provider: null, model: null },
    mcpFile: null,
    ...parts,
  };
}
