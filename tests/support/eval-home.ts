import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Ran, runCli } from "./cli.ts";

/** The case sets that are shipped. */
export const SHIPPED = path.resolve(import.meta.dirname, "../../eval");

export type EvalHome = {
  home: string;
  /** `mecha` in that home. */
  mecha(...argv: string[]): Promise<Ran>;
};

/**
 * A home with `cases.jsonl`, its `workspace/` and a provider `s` that plays the script. `toml` comes before the
 * provider's table.
 */
export function evalHome(
  home: string,
  parts: { cases: readonly object[]; script?: object; toml?: string; workspace?: Record<string, string> },
): EvalHome {
  mkdirSync(path.join(home, ".mecha"), { recursive: true });
  for (const [name, content] of Object.entries(parts.workspace ?? { "a.txt": "the first line\n" })) {
    const file = path.join(home, "workspace", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  writeCases(home, parts.cases);
  const provider = '[providers.s]\nkind = "scripted"\nscript = "script.json"\n';
  writeFileSync(path.join(home, ".mecha/config.toml"), `${parts.toml ?? ""}\n${provider}`);
  writeFileSync(
    path.join(home, ".mecha/script.json"),
    JSON.stringify({ name: "s", rules: [], otherwise: { text: "fine" }, ...parts.script }),
  );
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  return { home, mecha: (...argv) => runCli(argv, { home, env }) };
}

export function writeCases(home: string, cases: readonly object[]): void {
  writeFileSync(path.join(home, "cases.jsonl"), cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

/** As many trivial cases: `case-0` and on. */
export function trivialCases(count: number, expect: object = { contains: ["fine"] }): object[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `case-${n}`,
    tags: ["t"],
    prompt: `prompt ${n}`,
    expect,
  }));
}
