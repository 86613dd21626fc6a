import type { LaunchRequest } from "./launch-request.ts";
import type { Tool } from "./tool.ts";
import { builtInTools } from "./tools/built-in.io.ts";
import { onlyPublic } from "./tools/public-files.ts";
import { shellTool } from "./tools/shell.io.ts";
import type { Todo } from "./tools/todo.ts";

/** The tools of this program that a run has, before any are chosen. None of them is started by this. */
export function ownTools(request: LaunchRequest, todo: Todo): Tool[] {
  const { config, options, surface, env, publicNames } = request;
  const keys = [...Object.values(config.providers), ...config.search].map((one) => one.api_key_env);
  const tools = builtInTools({
    workspace: options.workspace,
    security: { ...config.security, mark_untrusted_output: options.markUntrustedOutput },
    search: surface.search ? config.search : [],
    ask: request.ask,
    todo,
    shell: shellTool({
      workspace: options.workspace,
      sandbox: options.sandbox,
      timeoutSecs: options.shellTimeoutSecs,
      env,
      withhold: keys.filter((name) => name !== null),
    }),
    env,
    outputBudgetBytes: options.limits.outputBudgetBytes,
  });
  if (publicNames === undefined) return tools;
  return tools.map((tool) => (READERS.has(tool.spec.name) ? onlyPublic(tool, publicNames) : tool));
}

const READERS: ReadonlySet<string> = new Set(["fs_read", "fs_list"]);
