import { EVAL_DEFAULTS } from "#lib/eval/eval-request.ts";
import { loadCases } from "#lib/eval/prepare.io.ts";
import { visible } from "#lib/format.ts";
import { resolvePlace } from "#lib/settings.ts";
import type { EvalFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";

/** `mecha eval --check`: loads a case file and says what is in it; a wrong one is named by line, case and key. */
export async function evalCheck(io: CliIo, cases: string | undefined, flags: EvalFlags): Promise<number> {
  const name = cases ?? EVAL_DEFAULTS.casesFile;
  const loaded = await loadCases({ casesFile: resolvePlace(name, io), casesName: name, tags: flags.tag });
  const tags = new Map<string, number>();
  for (const one of loaded.cases) for (const tag of one.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  const count = (has: (one: (typeof loaded.cases)[number]) => boolean) => loaded.cases.filter(has).length;
  const facts = {
    cases: loaded.cases.length,
    in_file: loaded.all.length,
    sandboxed: count((one) => one.sandbox),
    judged: count((one) => one.expect.judge !== null),
    verified: count((one) => one.expect.verify !== null),
    case_set_sha256: loaded.sha256,
  };
  if (flags.json) {
    io.out(jsonText({ schema_version: 1, ...facts, tags: Object.fromEntries(tags) }));
    return EXIT.fine;
  }
  io.out(
    [
      `${visible(name)}: ${facts.cases} case(s)${facts.cases === facts.in_file ? "" : ` of ${facts.in_file}`}`,
      `  ${facts.sandboxed} sandboxed · ${facts.verified} with verify · ${facts.judged} with a judge`,
      ...[...tags].map(([tag, n]) => `  ${String(n).padStart(4)}  ${visible(tag)}`),
      "",
    ].join("\n"),
  );
  return EXIT.fine;
}
