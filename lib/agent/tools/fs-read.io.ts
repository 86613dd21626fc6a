import { NO_CAPABILITIES, type Tool, type ToolResult, toolError, toolText } from "#lib/agent/tool.ts";
import { bytes as inBytes } from "#lib/format.ts";
import { utf8 } from "#lib/utf8.ts";
import { optional, text, whole } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { binaryKind } from "./file-kind.ts";
import { LineWindow, type Window } from "./line-window.ts";
import { type OpenFile, withFile } from "./workspace-file.io.ts";
import { type Addressing, withPlace } from "./workspace-walk.io.ts";

const CHUNK_BYTES = 65_536;

const args = {
  path: text("file in the workspace"),
  offset: optional(whole("first line to read, from 1", 1, Number.MAX_SAFE_INTEGER)),
  limit: optional(whole("most lines to read", 1, Number.MAX_SAFE_INTEGER)),
};

/**
 * Gives lines of a text file as they stand, without numbers, so that what a model quotes from them is found again by
 * `fs_edit`. What was left out is said in a last line in square brackets.
 */
export function fsRead(place: { workspace: string; addressing: Addressing; bytesMax: number }): Tool {
  return defineTool({
    name: "fs_read",
    description: "Read a text file. A long file is cut; read on with offset and limit.",
    args,
    readOnly: true,
    capabilities: { ...NO_CAPABILITIES, private_data: true },
    run: ({ path, offset, limit }, { signal }) =>
      withPlace(place.workspace, path, { createFolders: false, addressing: place.addressing }, (at) =>
        withFile(at, async (file) => {
          const skip = (offset ?? 1) - 1;
          const limits = { skip, linesMax: limit ?? Number.MAX_SAFE_INTEGER, bytesMax: place.bytesMax };
          const read = await readWindow(file, limits, signal);
          if (read.binary !== null)
            return toolError(
              `${at.shown} is not text: ${inBytes(file.stat.size)}, kind by its first bytes: ${read.binary}`,
            );
          return told(at.shown, file, skip, read.window);
        }),
      ),
  });
}

async function readWindow(
  { handle }: OpenFile,
  limits: { skip: number; linesMax: number; bytesMax: number },
  signal: AbortSignal,
): Promise<{ binary: string | null; window: Window }> {
  const window = new LineWindow(limits);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (position === 0) {
      const binary = binaryKind(buffer.subarray(0, bytesRead));
      if (binary !== null) return { binary, window: window.end() };
    }
    position += bytesRead;
    if (bytesRead === 0 || !window.push(buffer.subarray(0, bytesRead))) break;
  }
  return { binary: null, window: window.end() };
}

function told(shown: string, file: OpenFile, skip: number, window: Window): ToolResult {
  if (window.lines === 0) {
    if (skip === 0) return toolText("[the file is empty]");
    return toolError(`${shown} has ${window.skipped} lines; line ${skip + 1} is past its end`);
  }
  const strict = utf8(window.bytes);
  const content = strict ?? new TextDecoder().decode(window.bytes);
  const notes = [leftOut(file.stat.size, skip, window)];
  if (strict === null) notes.push("bytes that are not UTF-8 are shown as \ufffd");
  const said = notes.filter((note) => note !== "");
  if (said.length === 0) return toolText(content);
  return toolText(`${content}${content.endsWith("\n") ? "" : "\n"}[${said.join("; ")}]`);
}

function leftOut(size: number, skip: number, window: Window): string {
  const last = skip + window.lines;
  switch (window.cut) {
    case "none":
      return skip === 0 ? "" : `lines ${skip + 1} to ${last}, the last`;
    case "limit":
    case "bytes":
      return `lines ${skip + 1} to ${last} of a file of ${inBytes(size)}; more with offset ${last + 1}`;
    case "line":
      return `the first ${inBytes(window.bytes.length)} of line ${last}, which is too long to be shown whole; the file has ${inBytes(size)}`;
    default:
      return window.cut satisfies never;
  }
}
