import { NO_CAPABILITIES, type Tool, toolText } from "#lib/agent/tool.ts";
import { choice, group, list, text } from "./arguments.ts";
import { defineTool, ToolProblem } from "./define-tool.ts";

const STATUSES = ["pending", "in_progress", "completed"] as const;
type Item = { content: string; status: (typeof STATUSES)[number] };

const LENGTH_MAX = 10_000;
const SIGNS = { pending: "[ ]", in_progress: "[~]", completed: "[x]" } as const;

/** A list of things to do. It belongs to one conversation: make one for each. */
export type Todo = {
  tool: Tool;
  /** The list as text, for what has to survive a summary; null: there is none. */
  carry(): string | null;
};

const args = {
  items: list(
    "the whole list; it replaces the one before",
    group({ content: text("what to do"), status: choice("how far it is", STATUSES) }),
    200,
  ),
};

/** A list of steps of its own for one conversation, empty at first. */
export function createTodo(): Todo {
  let items: readonly Item[] = [];
  const tool = defineTool({
    name: "todo",
    description: "Keep your list of steps. Send the whole list each time.",
    args,
    readOnly: true,
    capabilities: NO_CAPABILITIES,
    run: async (values) => {
      // It is carried through every summary.
      const length = values.items.reduce((sum, item) => sum + item.content.length, 0);
      if (length > LENGTH_MAX)
        throw new ToolProblem(
          `todo: the list has ${length} characters, at most ${LENGTH_MAX} are kept; keep it short`,
        );
      items = values.items;
      return toolText(items.length === 0 ? "the list is empty" : `${counts(items)}\n${lines(items)}`);
    },
  });
  return { tool, carry: () => (items.length === 0 ? null : lines(items)) };
}

function counts(items: readonly Item[]): string {
  return STATUSES.map((status) => `${items.filter((item) => item.status === status).length} ${status}`).join(
    ", ",
  );
}

function lines(items: readonly Item[]): string {
  return items.map(({ content, status }) => `${SIGNS[status]} ${content.replace(/\s+/g, " ")}`).join("\n");
}
