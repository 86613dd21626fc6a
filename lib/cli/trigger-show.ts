import path from "node:path";
import type { TriggerHistory } from "#lib/doctor/trigger-checks.ts";
import { triggerView } from "#lib/doctor/trigger-view.ts";
import { UserError } from "#lib/errors.ts";
import { nearest } from "#lib/nearest.ts";
import { ledgerFile } from "#lib/trigger/store.ts";
import { isTriggerName } from "#lib/trigger/trigger.ts";
import type { TriggerFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { triggerJson } from "./trigger-json.ts";
import { bounded, openTriggers, problemLine, type Triggers } from "./trigger-store.ts";
import { triggerLines } from "./trigger-text.ts";

const ROWS = 10;
const SLOTS = 3;
const NEAR_MAX = 5;

/** `mecha trigger show NAME`: its settings, next slots and last runs, and the findings that stand for it. */
export async function triggerShow(io: CliIo, name: string, flags: TriggerFlags): Promise<number> {
  const triggers = await openTriggers(io, flags);
  const { store, as_of_ms } = triggers;
  const history = historyNamed(name, triggers);
  const view = triggerView(history, as_of_ms, { slots: SLOTS, rows: flags.limit ?? ROWS });
  const file = path.join(store.place, `${name}.toml`);
  // Files of other triggers are none of this one's concern; without the ledger, its runs are missing.
  const problem = store.problems.find(({ place }) => place === ledgerFile(store.place));
  if (problem !== undefined) io.err(`mecha: ${problemLine(problem)}; left out\n`);
  if (flags.json) io.out(jsonText(triggerJson(view, file, triggers)));
  else io.out(`${triggerLines(io, view, file, triggers).join("\n")}\n`);
  return problem === undefined ? EXIT.fine : EXIT.problem;
}

/** The trigger of that name with its rows. Throws a UserError that says what may have been meant. */
export function historyNamed(name: string, triggers: Triggers): TriggerHistory {
  const history = triggers.histories.find(({ trigger }) => trigger.name === name);
  if (history === undefined) throw cannotShow(name, triggers);
  return history;
}

/** Why there is nothing to show: its file cannot be used, it is gone, or it never was. */
function cannotShow(name: string, { store }: Triggers): UserError {
  const file = path.join(store.place, `${name}.toml`);
  const broken = store.problems.find(({ place }) => place === file);
  if (broken !== undefined) return new UserError("bad_input", problemLine(broken));
  const rows = store.ledger.rows.filter(({ trigger }) => trigger === name).length;
  const said = bounded(name, 80);
  const gone = `the trigger '${said}' has no file any more in ${store.place}; its ledger has ${rows} row(s)`;
  if (rows > 0) return new UserError("not_found", gone);
  const stems = store.problems.map(({ place }) => path.basename(place, ".toml")).filter(isTriggerName);
  const known = [...store.triggers.map((one) => one.name), ...stems];
  const near = nearNames(name, known);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(" or ")}?`
      : known.length === 0
        ? `there are none in ${store.place}`
        : "see: mecha trigger list";
  return new UserError("not_found", `no trigger is named '${said}'; ${hint}`);
}

/** The names that may have been meant, the likeliest first. */
function nearNames(name: string, known: readonly string[]): string[] {
  const word = name.toLowerCase().replace(/\.toml$/, "");
  const closest = nearest(word, known);
  const alike = word.length < 2 ? [] : known.filter((one) => one.includes(word) || word.includes(one));
  return [...new Set([...(closest === null ? [] : [closest]), ...alike])].slice(0, NEAR_MAX);
}
