import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The same prompts for both: `count` questions whose answer has to hold a word that it always holds. */
export type EvalSet = {
  /** Home of mecha, with a provider `bench` whose script always says the same. */
  home: string;
  cases: string;
  promptfoo: string;
};

/** As many trivial cases, for mecha and for promptfoo, in a folder and a home of their own. */
export function writeEvalSet(folder: string, count: number): EvalSet {
  const home = path.join(folder, "home");
  const mecha = path.join(home, ".mecha");
  mkdirSync(mecha, { recursive: true });
  mkdirSync(path.join(folder, "workspace"), { recursive: true });
  writeFileSync(
    path.join(mecha, "config.toml"),
    '[providers.bench]\nkind = "scripted"\nscript = "bench.json"\n',
  );
  writeFileSync(
    path.join(mecha, "bench.json"),
    JSON.stringify({ name: "bench", rules: [], otherwise: { text: "{{prompt}}" } }),
  );
  const prompts = Array.from({ length: count }, (_, n) => `question ${n}`);
  const cases = path.join(folder, `cases-${count}.jsonl`);
  const lines = prompts.map((prompt, n) =>
    JSON.stringify({ id: `case-${n}`, tags: ["bench"], prompt, expect: { contains: [prompt] } }),
  );
  writeFileSync(cases, `${lines.join("\n")}\n`);
  const promptfoo = path.join(folder, `promptfoo-${count}.json`);
  const tests = prompts.map((prompt) => ({
    vars: { prompt },
    assert: [{ type: "contains", value: prompt }],
  }));
  writeFileSync(promptfoo, JSON.stringify({ prompts: ["{{prompt}}"], providers: ["echo"], tests }));
  return { home, cases, promptfoo };
}
