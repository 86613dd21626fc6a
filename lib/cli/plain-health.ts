import { countIn, daysIn, textIn, type WindowFlags } from "./flags.ts";

/**
 * The flags of `sessions health` when they are written in the plainest way, `--flag value`; null for every other
 * command line, right or wrong, which the full parser then reads. The full parser takes some 10 ms to load, a tenth
 * of this command over a small store, and this is the command that people put into prompts and loops.
 * Never gives anything but what the full parser would.
 */
export function plainHealthFlags(argv: readonly string[]): WindowFlags | null {
  if (argv[0] !== "sessions" || argv[1] !== "health") return null;
  const flags: WindowFlags = { source: [] };
  for (let at = 2; at < argv.length; at += 1) {
    if (argv[at] === "--json") {
      flags.json = true;
      continue;
    }
    const value = argv[at + 1];
    // A value that starts with a dash may be meant as a flag: not plain.
    if (value === undefined || value.startsWith("-")) return null;
    if (!setFlag(flags, argv[at], value)) return null;
    at += 1;
  }
  return flags;
}

/** False when the flag is not known here, or the value is not right. */
function setFlag(flags: WindowFlags, name: string | undefined, value: string): boolean {
  if (textIn(value) === null) return false;
  switch (name) {
    case "--days":
      return setNumber(flags, "days", daysIn(value));
    case "-n":
    case "--limit":
      return setNumber(flags, "limit", countIn(value));
    case "--model":
      flags.model = value;
      return true;
    case "--source":
      flags.source.push(value);
      return true;
    case "--as-of":
      flags.asOf = value;
      return true;
    case "--zone":
      flags.zone = value;
      return true;
    default:
      return false;
  }
}

function setNumber(flags: WindowFlags, key: "days" | "limit", value: number | null): boolean {
  if (value === null) return false;
  flags[key] = value;
  return true;
}
