import type { Settings } from "#lib/settings.ts";
import type { Config } from "./config.ts";
import type { Env } from "./layers.ts";

/** The folder of drafts, absolute: MECHA_OUTBOX_DIR before what is configured, and a folder of mecha's own without either. */
export function outboxDir(
  { outbox }: Pick<Config, "outbox">,
  settings: Pick<Settings, "outboxDir">,
  env: Env,
): string {
  return env.MECHA_OUTBOX_DIR ? settings.outboxDir : (outbox.dir ?? settings.outboxDir);
}
