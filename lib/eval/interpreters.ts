const KNOWN = new Set([
  "python3",
  "python",
  "node",
  "deno",
  "bun",
  "ruby",
  "perl",
  "php",
  "go",
  "cargo",
  "rustc",
  "java",
  "javac",
  "gcc",
  "cc",
  "make",
  "npm",
  "npx",
  "pytest",
]);

/** Where the shell looks for a program: at the start and behind what ends a command, past words that take one. */
const COMMAND =
  /(?:^|[;&|(`\n])\s*(?:(?:if|then|elif|else|while|do|exec|env|time|!|[A-Za-z_]\w*=\S*)\s+)*([\w.-]+)/g;

/** The interpreters and compilers that a `verify` command starts, as far as its words say. */
export function interpretersIn(command: string): string[] {
  const words = [...command.matchAll(COMMAND)].map(([, word = ""]) => word);
  return [...new Set(words.filter((word) => KNOWN.has(word)))];
}
