import { NO_CAPABILITIES, type Tool, toolText } from "#lib/agent/tool.ts";
import { bytes as inBytes } from "#lib/format.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { replaceFile } from "./workspace-file.io.ts";
import { type Addressing, withPlace } from "./workspace-walk.io.ts";

const args = { path: text("file in the workspace"), content: text("the whole new content") };

/** Makes a file, and the folders to it, or replaces one whole. A link inside the workspace is written through. */
export function fsWrite(place: { workspace: string; addressing: Addressing }): Tool {
  return defineTool({
    name: "fs_write",
    description: "Write a whole file, replacing what it held. Missing folders are made.",
    args,
    readOnly: false,
    capabilities: { ...NO_CAPABILITIES, destructive: true },
    run: ({ path, content }) =>
      withPlace(place.workspace, path, { createFolders: true, addressing: place.addressing }, async (at) => {
        const bytes = Buffer.from(content);
        await replaceFile(at, bytes, null);
        return toolText(`${at.stat === null ? "made" : "replaced"} ${at.shown}, ${inBytes(bytes.length)}`);
      }),
  });
}
