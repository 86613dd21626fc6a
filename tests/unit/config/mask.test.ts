import { describe, expect, test } from "vitest";
import { layered } from "#lib/config/layers.ts";
import { maskText, maskWords } from "#lib/config/mask.ts";
import { parseConfig } from "#lib/config/parse.ts";
import { shownValues } from "#lib/config/show.ts";

const RANDOM = "q7Wm2kX9pLz4vB8nTc5yRd3F";

describe("secrets", () => {
  test.each([
    "sk-ant-hush-hush-1",
    "ghp_hushhushhush",
    "Bearer hush.hush",
    "https://hush:hush@host/x",
    "xoxb-hush-hush-hush",
  ])("%s is not shown", (text) => {
    expect(maskText(`a ${text} b`)).toMatch(/^a .*\(secret\).* b$/);
    expect(maskText(text)).not.toMatch(/hush/);
  });

  test("a header that is called a secret, and a name with its password", () => {
    expect(
      maskWords([
        "-H",
        "X-Api-Key: hush",
        "-H",
        "cookie:hush",
        "-H",
        "Authorization: Basic aHVzaA==",
        "-u",
        "me:hush",
      ]),
    ).toEqual([
      ...["-H", "X-Api-Key: (secret)", "-H", "cookie: (secret)"],
      ...["-H", "Authorization: (secret)", "-u", "me:(secret)"],
    ]);
    const plain = ["-H", "Accept: text/html", "-u", "me", "author: me"];
    expect(maskWords(plain)).toEqual(plain);
  });

  test("of a command line go by their names and their looks", () => {
    expect(
      maskWords(["--token", "hush", "--api-key=hush", "PASSWORD=hush", RANDOM, `--x=${RANDOM}`]),
    ).toEqual(["--token", "(secret)", "--api-key=(secret)", "PASSWORD=(secret)", "(secret)", "--x=(secret)"]);
  });

  test("what is none stays", () => {
    const words = [
      "npx",
      "-y",
      "@scope/server-filesystem@1.2.3",
      "--keys",
      "--tokens",
      "--root",
      "/srv/data/2026",
      "a=b",
    ];
    expect(maskWords(words)).toEqual(words);
    const model = "Qwen3-Coder-480B-A35B-Instruct-FP8-UD-Q4_K_XL";
    expect(maskText(model)).toBe(model);
  });

  test("never leave a shown configuration, not even in part", () => {
    const text = `
[agent]
system_prompt = "use sk-hushhushhush please"
[providers.a]
kind = "local"
api_key = "hush"
[[mcp]]
name = "m"
command = "c"
args = ["--secret", "hush"]
env = { A = "hush", "B" = "hush" }
[[search]]
kind = "brave"
api_key = "hush"
[[hook]]
event = "pre_tool"
command = ["curl", "-H", "Authorization: Bearer hush"]
`;
    const parsed = parseConfig(text, { file: "f", dir: "/", osHome: "/" });
    if (!parsed.ok) throw new Error(parsed.problem);
    const loaded = layered({ home: parsed.value, project: null, env: {}, flags: {} });
    if (!loaded.ok) throw new Error(loaded.problem);
    const shown = JSON.stringify(shownValues(loaded.value));
    expect(shown.match(/\(secret\)/g)).toHaveLength(7);
    expect(shown).not.toContain("hush");
  });
});
