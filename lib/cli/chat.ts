import type { Agent } from "#lib/agent/launch-request.ts";
import { NEW_CONVERSATION } from "#lib/agent/parts.ts";
import { titleOf } from "#lib/agent/session-id.ts";
import { type LoadedConversation, loadConversation } from "#lib/transcript/load.io.ts";
import { findSession } from "./catalog.ts";
import type { ChatFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { launchHinted } from "./launch-hinted.ts";
import { announce, closeTold, sendWatched, tellEnd } from "./run.ts";
import { isWatched, UNWATCHED, watchingPerson } from "./run-answers.ts";
import { endingOf } from "./run-ending.ts";
import { launchRequest, type RunSetup, setUp } from "./run-setup.ts";
import { type Show, showRun } from "./run-show.ts";
import { oneLine } from "./run-text.ts";
import { openStore } from "./store.ts";

type Resumed = LoadedConversation & { id: string; file: string };

/** `mecha chat`: line by line with one agent, each answer a run with its own row. */
export async function chat(io: CliIo, flags: ChatFlags): Promise<number> {
  const resumed = flags.resume === undefined ? null : await resume(io, flags.resume);
  const setup = await setUp(io, flags, resumed?.meta ?? null);
  const show = showRun(io, { stream: true, verbose: flags.verbose === true });
  greet(show, setup, resumed);
  let agent: Agent | null = null;
  try {
    for (;;) {
      const prompt = await nextPrompt(io);
      if (prompt === null) return EXIT.fine;
      if (prompt.trim() === "") continue;
      // Not before there is something to say: a chat that is left at once leaves no session behind.
      agent ??= await start(io, flags, { setup, show, resumed, prompt });
      const result = await sendWatched(io, agent, prompt, show);
      tellEnd(show, setup, agent, result, endingOf(result));
      if (io.signal.aborted) return EXIT.fine;
    }
  } finally {
    if (agent !== null) await closeTold(agent, show);
  }
}

/** Finds the session among mecha's own, whatever their time, and loads what was said in it. */
async function resume(io: CliIo, named: string): Promise<Resumed> {
  const store = await openStore(io, { source: ["mecha"] }, { zoneUnread: true });
  const anyTime = { ...store, limits: { ...store.limits, as_of_ms: null } };
  const { head } = await findSession(io, anyTime, named);
  return { ...loadConversation(head.path), id: head.id, file: head.path };
}

function greet(show: Show, { options }: RunSetup, resumed: Resumed | null): void {
  const model = oneLine(`${options.provider}, ${options.model}`);
  if (resumed === null) {
    show.line(`${model}. /quit or the end of the input ends the chat.`);
    return;
  }
  const { messages, skipped, id } = resumed;
  show.line(oneLine(`${model}. Going on with session ${id}: ${messages.length} message(s).`));
  if (skipped > 0) show.line(`note: ${skipped} line(s) of its file could not be read and are left out`);
}

type Beginning = { setup: RunSetup; show: Show; resumed: Resumed | null; prompt: string };

async function start(
  io: CliIo,
  flags: ChatFlags,
  { setup, show, resumed, prompt }: Beginning,
): Promise<Agent> {
  const watching = isWatched(io) ? watchingPerson(io, show.settle) : UNWATCHED;
  const agent = await launchHinted(
    launchRequest(io, setup, flags, {
      session:
        resumed === null
          ? { kind: "new", dir: setup.settings.sessionDir, title: titleOf(prompt) }
          : {
              kind: "resume",
              id: resumed.id,
              file: resumed.file,
              unsettled: resumed.unsettled,
              bytes: resumed.bytes,
            },
      conversation:
        resumed === null ? NEW_CONVERSATION : { messages: resumed.messages, taint: resumed.taint },
      recordOrder: "chat",
      ...watching,
    }),
  );
  announce(show, setup, agent);
  return agent;
}

const QUIT = /^\/(quit|exit)$/;
const CHAT_WORDS =
  "/quit or the end of the input ends the chat; Ctrl-C ends an answer. All else is said to the model.\n";

/** What the person says next; null when they have said all. A first Ctrl-C at the prompt asks whether they have. */
async function nextPrompt(io: CliIo): Promise<string | null> {
  const shown = io.isTty.stdin && io.isTty.stdout;
  let asked = false;
  for (;;) {
    const stop = new AbortController();
    const release = io.onInterrupt(() => stop.abort());
    const line = await io.ask(shown ? "> " : "", { signal: stop.signal, pasted: true });
    release();
    if (stop.signal.aborted && !asked) {
      asked = true;
      io.err("\nCtrl-C again, or /quit, ends the chat.\n");
      continue;
    }
    if (line === null && shown) io.out("\n");
    // Not sent: who asks for help asks mecha. A path begins with a slash too, and has more of them or words after it.
    const command = /^\/[a-z]+$/.exec(line?.trim() ?? "")?.[0];
    if (command !== undefined && !QUIT.test(command)) {
      io.err(command === "/help" ? CHAT_WORDS : `There is no ${command} here.\n${CHAT_WORDS}`);
      continue;
    }
    return line === null || QUIT.test(line.trim()) ? null : line;
  }
}
