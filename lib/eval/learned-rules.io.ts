import { readdir } from "node:fs/promises";
import path from "node:path";
import { parse, TomlError } from "smol-toml";
import { isCompanion } from "#lib/companion-file.ts";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { byteOrder } from "#lib/format.ts";
import { isObject } from "#lib/json-text.ts";
import { readText } from "#lib/read-whole.io.ts";

const FILES_MAX = 200;
const BYTES_MAX = 64 * 1024;

/**
 * The rules that were learned or written down for this agent: the `text` of each `[[rule]]` in `rules/*.user.toml` and
 * `rules/*.learned.toml`, a person's own first. Throws a UserError when there are none: an arm with them would be the
 * same as one without.
 */
export async function readLearnedRules(learningDir: string): Promise<string[]> {
  const folder = path.join(learningDir, "rules");
  const names = (await namesIn(folder))
    .filter((name) => /\.(user|learned)\.toml$/.test(name) && !isCompanion(name))
    .sort(byteOrder);
  if (names.length > FILES_MAX)
    throw new UserError(
      "bad_input",
      `${folder}: ${names.length} files of rules; at most ${FILES_MAX} are read`,
    );
  const ordered = [
    ...names.filter((name) => name.endsWith(".user.toml")),
    ...names.filter((name) => name.endsWith(".learned.toml")),
  ];
  const rules: string[] = [];
  for (const name of ordered) rules.push(...(await rulesIn(path.join(folder, name))));
  if (rules.length > 0) return rules;
  throw new UserError(
    "bad_input",
    `${folder}: no learned rules, so there is nothing to compare with and without`,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw new UserError("bad_input", `${folder}: ${messageOf(error)}`, { cause: error });
  }
}

async function rulesIn(file: string): Promise<string[]> {
  const read = await readText(file, BYTES_MAX);
  if (!read.ok) throw new UserError("bad_input", `${file}: ${read.problem}`);
  const table = tableOf(file, read.value);
  const rules = table.rule ?? table.rules ?? [];
  if (!Array.isArray(rules)) throw new UserError("bad_input", `${file}: rule must be [[rule]] tables`);
  return rules.flatMap((rule: unknown, at) => {
    const text = isObject(rule) ? rule.text : rule;
    if (isObject(rule) && rule.enabled === false) return [];
    if (typeof text !== "string" || text.trim() === "")
      throw new UserError("bad_input", `${file}: rule ${at + 1} has no text`);
    return [text];
  });
}

function tableOf(file: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UserError("bad_input", `${file}:${error.line}: ${messageOf(error).split("\n", 1)[0]}`, {
      cause: error,
    });
  }
}
