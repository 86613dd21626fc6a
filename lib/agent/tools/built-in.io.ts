import type { Asker } from "#lib/agent/launch-request.ts";
import type { Tool } from "#lib/agent/tool.ts";
import type { SearchConfig, SecuritySection } from "#lib/config/config.ts";
import { askUser } from "./ask-user.ts";
import { fsEdit } from "./fs-edit.io.ts";
import { fsList } from "./fs-list.io.ts";
import { fsRead } from "./fs-read.io.ts";
import { fsWrite } from "./fs-write.io.ts";
import { httpFetch } from "./http-fetch.io.ts";
import type { Todo } from "./todo.ts";
import { webSearch } from "./web-search.io.ts";
import { systemAddressing } from "./workspace-walk.io.ts";

/** Below the 200,000 bytes at which any result is cut, so that a tool's own closing note is not what is lost. */
const RESULT_BYTES_MAX = 190_000;

export type BuiltInOptions = {
  /** Absolute. */
  workspace: string;
  security: SecuritySection;
  /** Empty: there is no `web_search`. */
  search: readonly SearchConfig[];
  /** Null: there is no `ask_user`. */
  ask: Asker | null;
  /** The conversation's own. */
  todo: Todo;
  shell: Tool | null;
  env: Readonly<Record<string, string | undefined>>;
  /** Bytes one turn's results may have: a file that is read then ends at a line, and says where to read on. */
  outputBudgetBytes: number;
};

/** The tools of this program, always in this order: what a model is told stays the same, and so does its cache. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  const { workspace, security, search, ask, todo, shell, env } = options;
  const addressing = systemAddressing();
  // Some room is left for the note, and for a second call in the same turn to say something.
  const bytesMax = Math.min(RESULT_BYTES_MAX, Math.max(2000, options.outputBudgetBytes - 1000));
  const markUntrustedOutput = security.mark_untrusted_output;
  return [
    fsRead({ workspace, addressing, bytesMax }),
    fsList({ workspace, addressing, bytesMax }),
    fsWrite({ workspace, addressing }),
    fsEdit({ workspace, addressing }),
    ...(shell === null ? [] : [shell]),
    httpFetch({ rules: security, markUntrustedOutput, bytesMax }),
    ...(search.length === 0 ? [] : [webSearch({ backends: search, env, markUntrustedOutput })]),
    todo.tool,
    ...(ask === null ? [] : [askUser(ask)]),
  ];
}
