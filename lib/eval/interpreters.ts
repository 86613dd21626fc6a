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

/** The interpreters and compilers that a `verify` command starts, as far as its words say. */
export function interpretersIn(command: string): string[] {
  const words = command.split(/[\s;&|()<>"'`$]+/);
  return [...new Set(words.filter((word) => KNOWN.has(word)))];
}
