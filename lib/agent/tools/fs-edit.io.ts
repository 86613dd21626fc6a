import { NO_CAPABILITIES, type Tool, toolText } from "#lib/agent/tool.ts";
import { bytes as inBytes } from "#lib/format.ts";
import { text } from "./arguments.ts";
import { defineTool, ToolProblem } from "./define-tool.ts";
import { editBytes } from "./edit-bytes.ts";
import { binaryKind } from "./file-kind.ts";
import { type OpenFile, replaceFile, withFile } from "./workspace-file.io.ts";
import { type Addressing, type Place, withPlace } from "./workspace-walk.io.ts";

const FILE_BYTES_MAX = 64_000_000;

const args = {
  path: text("file in the workspace"),
  old: text("text to replace; must occur exactly once"),
  new: text("text to put in its place"),
};

/** Replaces one piece of a file, which has to occur exactly once. */
export function fsEdit(place: { workspace: string; addressing: Addressing }): Tool {
  return defineTool({
    name: "fs_edit",
    description: "Replace one piece of text in a file. old must occur exactly once, spaces included.",
    args,
    readOnly: false,
    capabilities: { ...NO_CAPABILITIES, destructive: true },
    run: (values) =>
      withPlace(
        place.workspace,
        values.path,
        { createFolders: false, addressing: place.addressing },
        async (at) => {
          const file = await withFile(at, async (open) => ({
            content: await wholeText(at, open),
            stat: open.stat,
          }));
          const edited = editBytes(file.content, values.old, values.new);
          if (!edited.ok) throw new ToolProblem(`${at.shown}: ${edited.problem}`);
          await replaceFile(at, edited.value.content, file.stat);
          return toolText(`edited ${at.shown} at line ${edited.value.line}`);
        },
      ),
  });
}

async function wholeText(at: Place, { handle, stat }: OpenFile): Promise<Uint8Array> {
  if (stat.size > FILE_BYTES_MAX)
    throw new ToolProblem(
      `${at.shown} has ${inBytes(stat.size)}; files of up to ${inBytes(FILE_BYTES_MAX)} can be edited`,
    );
  const content = await handle.readFile();
  const binary = binaryKind(content);
  if (binary !== null) throw new ToolProblem(`${at.shown} is not text; kind by its first bytes: ${binary}`);
  return content;
}
