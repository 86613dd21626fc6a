/** One number with what tells it from the others of its family. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number };

/** Samples of one name. Every one of them is a gauge: a window moves on, and transcripts are deleted. */
export type Family = { name: string; help: string; samples: readonly Sample[] };

/**
 * Prometheus' text format, version 0.0.4. A family without a sample is left out. Names must be metric names and label
 * names; label values and help may be any text.
 */
export function expositionText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, samples }) =>
        `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} gauge\n${samples.map((sample) => line(name, sample)).join("")}`,
    )
    .join("");
}

function line(name: string, { labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedLabel(text)}"`);
  const set = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  return `${name}${set} ${numberText(value)}\n`;
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapedLabel(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"');
}

/** As Go reads a float. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value);
}
