import { type Tool, toolError, toolText } from "#lib/agent/tool.ts";

/**
 * A tool that reads the workspace, kept to some names at its top: what stands there is public, so that reading it makes
 * no conversation private. Every other path is refused, and so is any with `..` in it: whatever else lies in that folder
 * is not public, and this tool does not say that it reads it.
 */
export function onlyPublic(tool: Tool, names: readonly string[]): Tool {
  return {
    ...tool,
    capabilities: { ...tool.capabilities, private_data: false },
    async execute(input, context) {
      const { path = "." } = input;
      if (typeof path !== "string") return tool.execute(input, context);
      const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
      const [first] = segments;
      if (first === undefined && !path.startsWith("/") && tool.spec.name === "fs_list")
        return toolText(names.join("\n"));
      const inside = first !== undefined && names.some((name) => name.replace(/\/$/, "") === first);
      if (!inside || path.startsWith("/") || segments.includes(".."))
        return toolError(
          `only these can be read, by a path that begins with one of them: ${names.join(", ")}`,
        );
      return tool.execute(input, context);
    },
  };
}
