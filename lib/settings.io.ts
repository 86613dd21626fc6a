import os from "node:os";
import { UserError } from "#lib/errors.ts";
import { type Settings, settingsFrom } from "#lib/settings.ts";
import { isZone } from "#lib/time.ts";

/** The settings of this process. Throws UserError when a variable is unusable. */
export function readSettings(): Settings {
  const system = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const parsed = settingsFrom(process.env, {
    osHome: os.homedir(),
    cwd: process.cwd(),
    // A TZ that the runtime does not know must not stop a person who never set a zone for mecha.
    systemZone: isZone(system) ? system : "UTC",
  });
  if (!parsed.ok) throw new UserError("bad_input", parsed.problem);
  return parsed.value;
}
