import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { shellLine } from "#lib/shell-quote.ts";
import { Prng } from "#tests/support/prng.ts";
import { scratchDir } from "#tests/support/session-files.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

const SHELLS = { bash: ["--norc"], dash: [], zsh: ["-f"], fish: ["--no-config"] } as const;
type Shell = keyof typeof SHELLS;

/** An external program, so that the words are those of a real argv; the mark ends each line's. */
const SHOW = "/usr/bin/printf '%s\\0' ";
const MARK = "\u0001";

function isThere(shell: Shell): boolean {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0;
}

/** The words that a shell reads out of each line, by running it. */
function readBy(shell: Shell, lines: readonly string[]): string[][] {
  const dir = scratchDir();
  const script = path.join(dir, "script");
  writeFileSync(script, lines.map((line) => `${SHOW}${line}\n${SHOW}${MARK}\n`).join(""));
  const out = execFileSync(shell, [...SHELLS[shell], script], {
    cwd: dir,
    env: { NODE_ENV: "test", PATH: "/usr/bin:/bin", HOME: dir },
  });
  return out
    .toString()
    .split(`${MARK}\0`)
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

const HARD = [
  "",
  "'",
  "''",
  '"',
  "\\",
  "\\\\",
  "\\'",
  "a\\",
  "$HOME",
  "$" + "{HOME}",
  "$(id)",
  "`id`",
  "!",
  "!!",
  "a!b",
  "~",
  "~root",
  "*",
  "?",
  "[a-z]",
  "{a,b}",
  "{1..3}",
  "=ls",
  "=",
  "a=b",
  "-rf",
  "--",
  "#x",
  "a#b",
  ";",
  "&&",
  "|",
  "<",
  ">",
  "(",
  ")",
  "%self",
  "%1",
  "^a^b",
  "@(a)",
  "+x",
  "a b",
  " ",
  "\t",
  "\n",
  "a\nb",
  "é",
  "日本語",
  "🦔",
  "$'a'",
  "\\n",
  "\\x41",
  "end\\",
  "x'; id; echo '",
  "max_turns=40",
  "eval/cases.jsonl",
  'it\'s \\ "all" $here',
] as const;
const LETTERS = [
  "a",
  "Z",
  "0",
  "'",
  '"',
  "\\",
  "$",
  "`",
  "!",
  "~",
  "*",
  "{",
  "}",
  "[",
  "(",
  ")",
  ";",
  "&",
  "|",
  "<",
  ">",
  "#",
  "=",
  "-",
  "%",
  "^",
  "@",
  "+",
  ",",
  ".",
  "/",
  ":",
  " ",
  "\t",
  "\n",
  "?",
  "é",
  "日",
  "🦔",
];

function hostile(random: Prng): string {
  if (random.chance(0.2)) return random.pick(HARD);
  return Array.from({ length: random.below(12) }, () => random.pick(LETTERS)).join("");
}

const random = new Prng(20_261_130);
const LISTS = [
  ...HARD.map((word) => [word]),
  ...Array.from({ length: 400 }, () => Array.from({ length: 1 + random.below(5) }, () => hostile(random))),
];

describe.each(Object.keys(SHELLS) as Shell[])("%s", (shell) => {
  const name = isThere(shell) ? "" : ` (skipped: no ${shell} on this machine)`;

  it.skipIf(name !== "")(
    `reads a quoted line back as the words it was made of${name}`,
    () => {
      const read = readBy(shell, LISTS.map(shellLine));
      expect(read).toHaveLength(LISTS.length);
      for (const [at, words] of LISTS.entries()) expect(read[at], shellLine(words)).toEqual(words);
    },
    120_000,
  );
});

const { shell_quote } = readVectors<{ shell_quote: { vectors: { in: string; out: string }[] } }>({
  shell_quote: { vectors: [] },
});

/** Both are right; ours leaves these bare, and writes a quote in a way that fish reads too. */
const OTHER_FORM = ["x'; id; echo '", "it's", "'", "a+b", "a@b"];

describe.skipIf(!sharedDir)(sharedDir ? "the known quoting" : sharedMissing, () => {
  it("is ours to the letter, but for a few words", () => {
    const differing = shell_quote.vectors.filter((one) => shellLine([one.in]) !== one.out);
    expect(shell_quote.vectors.length).toBeGreaterThan(20);
    expect(differing.map((one) => one.in)).toEqual(OTHER_FORM);
  });

  it.each((Object.keys(SHELLS) as Shell[]).filter(isThere))("is read by %s as ours is", (shell) => {
    const known = readBy(
      shell,
      shell_quote.vectors.map(({ out }) => out),
    );
    const ours = readBy(
      shell,
      shell_quote.vectors.map((one) => shellLine([one.in])),
    );
    expect(ours).toEqual(shell_quote.vectors.map((one) => [one.in]));
    expect(known).toEqual(ours);
  });
});
