import { opendir } from "node:fs/promises";
import path from "node:path";
import { NO_CAPABILITIES, type Tool, toolText } from "#lib/agent/tool.ts";
import { byteOrder, count } from "#lib/format.ts";
import { optional, text } from "./arguments.ts";
import { defineTool, ToolProblem } from "./define-tool.ts";
import { type Addressing, type Folder, openFolder, type Place, withPlace } from "./workspace-walk.io.ts";

/** Most names that are looked at; of a folder with more, not even the order is certain. */
const NAMES_SEEN_MAX = 200_000;

const args = { path: optional(text("folder in the workspace; the workspace itself when left out")) };

/** Gives the names in a folder in byte order, one a line; names of folders end in a slash. */
export function fsList(place: { workspace: string; addressing: Addressing; bytesMax: number }): Tool {
  return defineTool({
    name: "fs_list",
    description: "List a folder: sorted names, one per line, folders end in /.",
    args,
    readOnly: true,
    capabilities: { ...NO_CAPABILITIES, private_data: true },
    run: ({ path: given }, { signal }) =>
      withPlace(
        place.workspace,
        given ?? ".",
        { createFolders: false, addressing: place.addressing },
        async (at) => {
          const { names, more } = await inFolder(at, place.addressing, (folder) => namesIn(folder, signal));
          return toolText(listed(names, more, place.bytesMax));
        },
      ),
  });
}

async function inFolder<T>(
  at: Place,
  addressing: Addressing,
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  if (at.name === null) return await use(at.folder);
  if (at.stat === null) throw new ToolProblem(`${at.shown}: there is no such folder`);
  if (!at.stat.isDirectory()) throw new ToolProblem(`${at.shown} is not a folder; fs_read reads a file`);
  const folder = await openFolder(at.folder.at(at.name), path.join(at.folder.path, at.name), addressing);
  try {
    await at.confirm();
    return await use(folder);
  } finally {
    await folder.handle.close();
  }
}

async function namesIn(folder: Folder, signal: AbortSignal): Promise<{ names: string[]; more: boolean }> {
  const found: { name: string; isFolder: boolean }[] = [];
  let more = false;
  for await (const entry of await opendir(folder.at("."), { bufferSize: 512 })) {
    signal.throwIfAborted();
    more = found.length === NAMES_SEEN_MAX;
    if (more) break;
    found.push({ name: entry.name, isFolder: entry.isDirectory() });
  }
  found.sort((a, b) => byteOrder(a.name, b.name));
  return { names: found.map(({ name, isFolder }) => `${onOneLine(name)}${isFolder ? "/" : ""}`), more };
}

/** A line break in a name must not look like a second name: such names are written as JSON text. */
function onOneLine(name: string): string {
  if (!/[\p{Cc}\p{Zl}\p{Zp}]|^["[]/u.test(name)) return name;
  return JSON.stringify(name).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function listed(names: readonly string[], more: boolean, bytesMax: number): string {
  if (names.length === 0) return "[the folder is empty]";
  let taken = 0;
  let left = bytesMax;
  for (const name of names) {
    left -= Buffer.byteLength(name) + 1;
    if (left < 0) break;
    taken += 1;
  }
  if (taken === names.length && !more) return names.join("\n");
  const rest = `${more ? "more than " : ""}${count(names.length - taken)}`;
  return [...names.slice(0, taken), `[${rest} more names are not shown]`].join("\n");
}
