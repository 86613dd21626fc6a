import { visible } from "#lib/format.ts";

/** Words of ours around text of somebody else's: our line ends stay, everything that could act on a terminal is shown. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
