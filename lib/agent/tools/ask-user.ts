import type { Asker } from "#lib/agent/launch-request.ts";
import { NO_CAPABILITIES, type Tool, toolError, toolText } from "#lib/agent/tool.ts";
import { list, optional, text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";

const args = {
  question: text("one question"),
  options: optional(list("answers to choose from", text("an answer"), 20)),
};

/** Asks the person. Where nobody answers the call has failed: the model does not know what it needed to know. */
export function askUser(ask: Asker): Tool {
  return defineTool({
    name: "ask_user",
    description: "Ask the person one question when you cannot go on without the answer.",
    args,
    readOnly: true,
    capabilities: NO_CAPABILITIES,
    run: async ({ question, options }, { signal }) => {
      if (question.trim() === "") return toolError("ask_user: `question` is empty");
      const answer = await ask(question, options ?? [], signal);
      return answer === null
        ? toolError("not answered")
        : toolText(answer === "" ? "(an empty answer)" : answer);
    },
  });
}
