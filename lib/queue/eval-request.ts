import { EVAL_DEFAULTS, type EvalRequest } from "#lib/eval/eval-request.ts";
import type { ExperimentRequest } from "./experiment.ts";

/** An experiment as `mecha eval` would be asked for it, with the defaults of its flags. */
export function evalRequestOf(
  request: ExperimentRequest,
  places: { transcriptsDir: string; learningDir: string },
): EvalRequest {
  const { provider, model, mcpFile } = request;
  return {
    ...EVAL_DEFAULTS,
    casesFile: request.casesFile,
    casesName: request.casesFile,
    tags: request.tags,
    runsPerCase: request.runsPerCase,
    concurrency: request.concurrency,
    overrides: request.overrides,
    flags: { ...(provider === null ? {} : { provider }), ...(model === null ? {} : { model }) },
    judge: request.judge,
    mcp: mcpFile === null ? "none" : { file: mcpFile },
    ...places,
  };
}
