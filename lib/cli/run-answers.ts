import type { Asker } from "#lib/agent/launch-request.ts";
import type { Approver, Decision, PendingCall } from "#lib/agent/parts.ts";
import { visible } from "#lib/format.ts";
import type { CliIo } from "./io.ts";
import { terminalText } from "./run-text.ts";

/** A person who sits in front of the run. */
export type Watching = { approve: Approver; ask: Asker | null };

/** Somebody can be asked where the input is a terminal and one of the outputs shows them the question. */
export function isWatched(io: CliIo): boolean {
  return io.isTty.stdin && (io.isTty.stderr || io.isTty.stdout);
}

/** Nobody is there: every question is answered with no, by policy. */
export const UNWATCHED: Watching = {
  approve: async () => ({ allow: false, by: "policy", why: "nobody is there who could allow it" }),
  ask: null,
};

/** Asks the person at the terminal, one question at a time. `settle` ends what stands unfinished on the screen. */
export function watchingPerson(io: CliIo, settle: () => void): Watching {
  const always = new Set<string>();
  const queue = oneByOne();
  const put = (text: string): void => {
    settle();
    // The terminal may be behind either of the two; standard output may be a file.
    if (io.isTty.stderr) io.err(text);
    else io.out(text);
  };
  return {
    approve: (call, reason, signal) =>
      queue(async (): Promise<Decision> => {
        if (reason === "permission" && always.has(call.name)) return { allow: true };
        const known = reason === "permission" ? ALWAYS_TOO : ONCE;
        const reply = async (text: string): Promise<string | null> =>
          (await io.ask("", { signal, show: () => put(text) }))?.trim().toLowerCase() ?? null;
        let answer = await reply(question(call, reason));
        // A slip of the finger is no refusal; a second one is.
        if (answer !== null && !known.has(answer)) answer = await reply(keysOf(reason));
        if (answer === null) put("\n");
        const given = answer !== null && known.has(answer) ? answer[0] : undefined;
        if (given === "a") always.add(call.name);
        if (given === "y" || given === "a") return { allow: true };
        return { allow: false, by: "user", why: answer === null ? "no answer" : "the answer was no" };
      }),
    ask: (text, options, signal) =>
      queue(async () => {
        put(`? ${terminalText(text.slice(0, INPUT_UNITS))}\n${options.map(optionLine).join("")}> `);
        const answer = await io.ask("", { signal, pasted: true });
        if (answer === null) put("\n");
        return answer === null || answer.trim() === "" ? null : chosen(answer.trim(), options);
      }),
  };
}

const ONCE: ReadonlySet<string> = new Set(["", "y", "yes", "n", "no"]);
const ALWAYS_TOO: ReadonlySet<string> = new Set([...ONCE, "a", "always"]);

const INPUT_UNITS = 4000;

/** The whole input as it would be used, up to a bound that is said where it cuts. */
function question(call: PendingCall, reason: "permission" | "interlock"): string {
  const input = JSON.stringify(call.input, null, 2);
  const more = input.length - INPUT_UNITS;
  const shown = terminalText(input.slice(0, INPUT_UNITS)).replaceAll("\n", "\n  ");
  const cut = more > 0 ? `\n  … and ${more} more characters that are not shown` : "";
  const why =
    reason === "permission"
      ? "may change something"
      : "could carry private content out: this conversation holds some, and text from outside that may have asked for it";
  return `? ${visible(call.name)} ${why}\n  ${shown}${cut}\n${keysOf(reason)}`;
}

function keysOf(reason: "permission" | "interlock"): string {
  const keys = reason === "permission" ? "y yes, a always for this tool, N no" : "y yes, N no";
  return `allow it? [${keys}] `;
}

function optionLine(option: string, at: number): string {
  return `  ${at + 1} ${visible(option.slice(0, INPUT_UNITS))}\n`;
}

/** An option by its number, or whatever else was written. */
function chosen(answer: string, options: readonly string[]): string {
  return /^\d+$/.test(answer) ? (options[Number(answer) - 1] ?? answer) : answer;
}

/** Calls of one turn may run side by side; a terminal has one line for answers. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
