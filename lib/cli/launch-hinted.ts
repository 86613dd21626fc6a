import { launch } from "#lib/agent/launch.io.ts";
import type { Agent, LaunchRequest } from "#lib/agent/launch-request.ts";
import { KeyMissing } from "#lib/agent/providers/key-missing.ts";
import { UserError } from "#lib/errors.ts";

const HINT =
  "without a key: try it with no model at all, -p scripted, or with a local server (docs/config.md)";

/** Launches for a person at the command line: who has no key is told, in a second line, what goes without one. */
export async function launchHinted(request: LaunchRequest): Promise<Agent> {
  try {
    return await launch(request);
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    throw new UserError(error.code, `${error.message}\n${HINT}`, { cause: error });
  }
}
