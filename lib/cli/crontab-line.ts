import { shellLine } from "#lib/shell-quote.ts";

/**
 * The line of a crontab that calls `mecha trigger tick` every minute. `mechaHome`: the mecha home that is named to it,
 * which cron does not know from elsewhere; null for the usual one, or where no line can hold its name.
 */
export function crontabLine(mechaHome: string | null): string {
  const home = mechaHome === null || hasControl(mechaHome) ? [] : [`MECHA_HOME=${shellLine([mechaHome])}`];
  // To cron a bare % ends the command, within quotes as well.
  return ["* * * * *", ...home, "mecha trigger tick"].join(" ").replaceAll("%", "\\%");
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
