import type { Paint } from "#lib/doctor/text.ts";
import type { CliIo } from "./io.ts";

/** Marks on words that also stand without them: colour is never the only sign. */
export type Style = { bold: Mark; dim: Mark; red: Mark; green: Mark; yellow: Mark };
type Mark = (text: string) => string;

/** Colour only on a terminal that understands it, and not where the person asked for none (no-color.org). */
export function styleFor(io: Pick<CliIo, "env" | "isTty">): Style {
  const on = io.isTty.stdout && !io.env.NO_COLOR && io.env.TERM !== "dumb";
  const mark = (open: number, close: number): Mark =>
    on ? (text) => `\u001b[${open}m${text}\u001b[${close}m` : (text) => text;
  return {
    bold: mark(1, 22),
    dim: mark(2, 22),
    red: mark(31, 39),
    green: mark(32, 39),
    yellow: mark(33, 39),
  };
}

/** How bad a finding is, in red and yellow. */
export function severityPaint(io: Pick<CliIo, "env" | "isTty">): Paint {
  const { red, yellow } = styleFor(io);
  return { broken: red, attention: yellow };
}
