import { configPlaces, isThere } from "#lib/config/load.io.ts";
import { visible } from "#lib/format.ts";
import type { JsonFlag } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { settle } from "./store.ts";
import { tableLines } from "./table.ts";

/** `mecha config path`: the files, whatever stands in them; a broken one has to be found first. */
export async function configPath(io: CliIo, flags: JsonFlag): Promise<number> {
  const places = configPlaces(settle(io, {}, { zoneUnread: true }), io.cwd);
  const files = [
    { layer: "home", path: places.home, found: await isThere(places.home) },
    { layer: "project", path: places.project, found: await isThere(places.project) },
  ];
  if (flags.json) io.out(jsonText({ schema_version: 1, files }));
  else io.out(`${textOf(files).join("\n")}\n`);
  return EXIT.fine;
}

function textOf(files: readonly { layer: string; path: string; found: boolean }[]): string[] {
  const rows = files.map(({ layer, path, found }) => [layer, found ? "there" : "none", visible(path)]);
  return tableLines([{ header: "layer" }, { header: "file" }, { header: "path" }], rows, null);
}
