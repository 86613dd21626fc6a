import { UserError } from "#lib/errors.ts";
import type { CiGates } from "#lib/eval/ci-gates.ts";
import { EVAL_DEFAULTS, type EvalRequest } from "#lib/eval/eval-request.ts";
import { readCard } from "#lib/eval/reports.io.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import { resolvePlace } from "#lib/settings.ts";
import { fileNamed, resultsFolders } from "./eval-places.ts";
import type { EvalFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { optionFlags } from "./launch-flags.ts";
import type { OutFile } from "./out-file.ts";
import { settle } from "./store.ts";

/** What the flags ask for, paths absolute. Transcripts go `beside` the report where nothing else is said. */
export async function requestOf(
  io: CliIo,
  cases: string,
  flags: EvalFlags,
  beside: OutFile | null,
): Promise<EvalRequest> {
  const settings = settle(io, {}, { zoneUnread: true });
  const absolute = (name: string) => resolvePlace(name, io);
  const transcripts = flags.transcripts ?? (beside === null ? undefined : `${beside.place}.transcripts`);
  return {
    casesFile: absolute(cases),
    casesName: cases,
    tags: flags.tag,
    fixture: flags.fixture === undefined ? EVAL_DEFAULTS.fixture : absolute(flags.fixture),
    runsPerCase: flags.runs,
    concurrency: flags.concurrency,
    overrides: flags.abConfig,
    abRules: flags.abRules ?? EVAL_DEFAULTS.abRules,
    flags: await optionFlags(io, flags),
    judge: { provider: flags.judgeProvider ?? null, model: flags.judgeModel ?? null },
    mcp: flags.mcpFile !== undefined ? { file: absolute(flags.mcpFile) } : flags.mcp ? "configured" : "none",
    askUser: flags.askUser,
    unconfined: flags.unconfined ?? EVAL_DEFAULTS.unconfined,
    keepWorkspaces: flags.keepWorkspaces ?? EVAL_DEFAULTS.keepWorkspaces,
    transcriptsDir: transcripts === undefined ? null : absolute(transcripts),
    learningDir: settings.learningDir,
  };
}

/** What a pipeline asks of the report. Throws a UserError for a baseline that is no report. */
export async function gatesOf(io: CliIo, flags: EvalFlags): Promise<CiGates> {
  if ((flags.failOn !== undefined) !== (flags.baseline !== undefined))
    throw new UserError("usage", "--baseline and --fail-on regression go together");
  let baseline: Report | null = null;
  if (flags.baseline !== undefined) {
    const file = fileNamed(io, resultsFolders(io, []), flags.baseline);
    const card = await readCard(file.place, file.name);
    if (!card.ok) throw new UserError("bad_input", card.problem);
    baseline = card.value.report;
  }
  return {
    minPass: flags.minPass ?? null,
    maxFlaky: flags.maxFlaky ?? null,
    baseline,
    runsPerCase: flags.runs,
  };
}
