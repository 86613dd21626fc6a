/** How one try went: an answer, or none. */
export type Reply =
  | {
      kind: "answer";
      status: number;
      /** The wait the server asks for, in ms. */
      retryAfterMs: number | null;
      /** A plain word of the server that says what it did not like. */
      word: string | null;
    }
  | { kind: "none"; reason: string; transient: boolean };

export type Delivery = { ok: true } | { ok: false; problem: string };

/** Tries after the first. */
const RETRIES = 3;
const FIRST_WAIT_MS = 1000;
/** The longest wait that a server may ask for; asked for longer, the next run of the command is the next try. */
export const WAIT_MS_MAX = 30_000;

/**
 * Sends until a server takes it: what may pass (no connection, no answer in time, 408, 425, 429, 5xx) is tried again after
 * 1, 2 and 4 seconds, or after the wait the server asks for. Anything but a 2xx is a failure; a redirect too, for
 * findings are sent where they were told to go and nowhere else.
 */
export async function deliver(
  send: () => Promise<Reply>,
  sleep: (ms: number) => Promise<void>,
): Promise<Delivery> {
  for (let tries = 1; ; tries += 1) {
    const reply = await send();
    if (reply.kind === "answer" && reply.status >= 200 && reply.status < 300) return { ok: true };
    const problem = problemOf(reply);
    if (!mayPass(reply)) return { ok: false, problem };
    const asked = reply.kind === "answer" ? reply.retryAfterMs : null;
    if (asked !== null && asked > WAIT_MS_MAX) {
      const wait = `${Math.ceil(asked / 1000)} s`;
      return { ok: false, problem: `${problem}, and asks for a wait of ${wait}: too long to wait here` };
    }
    if (tries > RETRIES) return { ok: false, problem: `${problem} (given up after ${tries} tries)` };
    await sleep(asked ?? FIRST_WAIT_MS * 2 ** (tries - 1));
  }
}

function mayPass(reply: Reply): boolean {
  if (reply.kind === "none") return reply.transient;
  return reply.status >= 500 || [408, 425, 429].includes(reply.status);
}

function problemOf(reply: Reply): string {
  if (reply.kind === "none") return reply.reason;
  const { status, word } = reply;
  if (status >= 300 && status < 400)
    return `it answered with status ${status}, a redirect, which is not followed`;
  return `it answered with status ${status}${word === null ? "" : ` (${word})`}`;
}
