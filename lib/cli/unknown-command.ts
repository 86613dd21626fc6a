import type { Command } from "commander";
import { nearest } from "#lib/nearest.ts";

const UNKNOWN = /^error: unknown command '(.*)'/;

/**
 * What is said of a word that is no command of `program`: where a command, or one of a group, has that name, or nearly,
 * those are offered in full; otherwise `text`, commander's own words, stays as it is.
 */
export function withCommandsMeant(program: Command, text: string): string {
  const word = UNKNOWN.exec(text)?.[1];
  if (word === undefined) return text;
  const known = program.commands.flatMap((group) => [
    { name: group.name(), full: `${program.name()} ${group.name()}` },
    ...group.commands.map((command) => ({
      name: command.name(),
      full: `${program.name()} ${group.name()} ${command.name()}`,
    })),
  ]);
  const meant = nearest(
    word,
    known.map(({ name }) => name),
  );
  const offered = known.filter(({ name }) => name === meant).map(({ full }) => full);
  return offered.length === 0
    ? text
    : `error: unknown command '${word}'\n(Did you mean ${offered.join(" or ")}?)\n`;
}

/** `mecha help [command...]`: the help of a command however deep it stands; commander's own knows the first word only. */
export function addHelp(program: Command): Command {
  program.helpCommand(false);
  return program
    .command("help")
    .argument("[command...]")
    .description("display help for command")
    .action((words: string[]) => {
      let at = program;
      for (const word of words) {
        const next = at.commands.find((command) => command.name() === word);
        if (next === undefined && at.commands.length > 0) at.error(`error: unknown command '${word}'`);
        at = next ?? at;
      }
      at.help();
    });
}
