import type { Finding } from "#lib/doctor/finding.ts";
import { visible } from "#lib/format.ts";
import type { CliIo } from "./io.ts";

/** This command line, as the remedies of findings name it. */
export type Self = {
  /** Does this version have the command? */
  knows(argv: readonly string[]): boolean;
  run(argv: readonly string[]): Promise<number>;
};

/**
 * On a terminal, offers each distinct remedy once and runs what is accepted, as argv and never through a shell. Only
 * `y` accepts; the end of the input refuses the rest. Where nobody can answer it does nothing.
 */
export async function offerRemedies(io: CliIo, findings: readonly Finding[], self: Self): Promise<void> {
  if (findings.length === 0 || !io.isTty.stdin || !io.isTty.stdout) return;
  for (const argv of distinctRemedies(findings)) {
    const [program, ...rest] = argv;
    const ours = program === "mecha";
    // Offering what this version cannot do would end in a usage error.
    if (ours && !self.knows(rest)) continue;
    const answer = await io.ask(`run ${visible(argv.join(" "))} ? [y/N] `);
    if (answer === null) {
      io.out("\n");
      return;
    }
    if (!/^[yY]$/.test(answer.trim())) continue;
    io.out("\n");
    await (ours ? self.run(rest) : io.run(argv));
  }
}

function distinctRemedies(findings: readonly Finding[]): string[][] {
  const remedies = new Map<string, string[]>();
  for (const { remedy } of findings) if (remedy) remedies.set(JSON.stringify(remedy.argv), remedy.argv);
  return [...remedies.values()];
}
