import type { Agent } from "#lib/agent/launch-request.ts";
import { NEW_CONVERSATION, type RunResult } from "#lib/agent/parts.ts";
import { titleOf } from "#lib/agent/session-id.ts";
import type { RunFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { launchHinted } from "./launch-hinted.ts";
import { isWatched, UNWATCHED, watchingPerson } from "./run-answers.ts";
import { type Ending, endingOf } from "./run-ending.ts";
import { promptFrom } from "./run-prompt.ts";
import { launchRequest, type RunSetup, setUp } from "./run-setup.ts";
import { type Show, showRun } from "./run-show.ts";
import { endLine, madeUp, oneLine, terminalText } from "./run-text.ts";

/** `mecha run`: one prompt, one answer on standard output, one row in the session. */
export async function run(io: CliIo, words: readonly string[], flags: RunFlags): Promise<number> {
  const prompt = await promptFrom(io, words);
  const setup = await setUp(io, flags);
  // Only a terminal gets the answer as it grows: what a pipe gets is the answer and nothing around it.
  const stream = io.isTty.stdout && !flags.json;
  const show = showRun(io, { stream, verbose: flags.verbose === true });
  const watching = isWatched(io) ? watchingPerson(io, show.settle) : UNWATCHED;
  const agent = await launchHinted(
    launchRequest(io, setup, flags, {
      session: { kind: "new", dir: setup.settings.sessionDir, title: flags.title ?? titleOf(prompt) },
      conversation: NEW_CONVERSATION,
      recordOrder: "summary",
      ...watching,
    }),
  );
  let result: RunResult;
  try {
    announce(show, setup, agent);
    result = await sendWatched(io, agent, prompt, show);
  } finally {
    show.settle();
    await closeTold(agent, show);
  }
  const ending = endingOf(result);
  if (flags.json) io.out(jsonText(jsonOf(setup, agent, result)));
  else if (!stream && result.failure === null && result.text !== "") io.out(answerText(io, result.text));
  tellEnd(show, setup, agent, result, ending);
  for (const hint of hintsOf(io, setup, agent, result)) show.line(hint);
  return ending.answered ? EXIT.fine : EXIT.problem;
}

/** What a person can do about how it ended. */
function hintsOf(io: CliIo, { options }: RunSetup, agent: Agent, { outcome }: RunResult): string[] {
  const unasked = options.permissionMode === "ask" && outcome.tool_denied > 0 && !isWatched(io);
  const left = outcome.stop_cause === "interrupted" ? agent.session : null;
  return [
    ...(unasked
      ? ["note: nobody can be asked here, so calls that may change something are refused; --yes allows them"]
      : []),
    ...(left === null ? [] : [`to go on with it: mecha chat --resume ${left.id}`]),
  ];
}

/** Closes an agent, and says what went wrong in it. */
export async function closeTold(agent: Agent, show: Show): Promise<void> {
  const told = agent.notices.length;
  await agent.close();
  for (const notice of agent.notices.slice(told)) show.line(`note: ${oneLine(notice)}`);
}

/** What a reader has to know before the first word: that no model speaks, and what this run goes without. */
export function announce(show: Show, { scripted, options, notices }: RunSetup, agent: Agent): void {
  if (scripted) show.line(`note: ${oneLine(madeUp(options.provider))}`);
  for (const notice of [...notices, ...agent.notices]) show.line(`note: ${oneLine(notice)}`);
}

/** One run that a first Ctrl-C, or a reader that has gone, ends in good order; a second one ends the process. */
export async function sendWatched(io: CliIo, agent: Agent, prompt: string, show: Show): Promise<RunResult> {
  const stop = new AbortController();
  const release = io.onInterrupt(() => {
    // A terminal has written ^C where it stood.
    if (io.isTty.stderr) io.err("\n");
    stop.abort();
  });
  const gone = (): void => stop.abort();
  io.signal.addEventListener("abort", gone);
  try {
    return await agent.send(prompt, { signal: stop.signal, onEvent: show.onEvent });
  } finally {
    release();
    io.signal.removeEventListener("abort", gone);
  }
}

/** The last lines on standard error: what went wrong or was held back, then the counts. */
export function tellEnd(
  show: Show,
  { scripted }: RunSetup,
  agent: Agent,
  result: RunResult,
  ending: Ending,
): void {
  for (const line of ending.lines) show.line(oneLine(line));
  show.line(
    oneLine(`${endLine(agent.session?.id ?? null, result)}${scripted ? " · by a script, no model" : ""}`),
  );
}

function answerText(io: CliIo, text: string): string {
  const shown = io.isTty.stdout ? terminalText(text) : text;
  return shown.endsWith("\n") ? shown : `${shown}\n`;
}

function jsonOf(setup: RunSetup, agent: Agent, result: RunResult): object {
  const { failure, outcome, refused } = result;
  return {
    schema_version: 1,
    session_id: agent.session?.id ?? null,
    session_file: agent.session?.file ?? null,
    provider: setup.options.provider,
    model: setup.options.model,
    scripted: setup.scripted,
    answer: result.text,
    refused,
    failure,
    outcome,
    notices: [...setup.notices, ...agent.notices],
  };
}
