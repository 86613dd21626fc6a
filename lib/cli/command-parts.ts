import { type Command, InvalidArgumentError, Option } from "commander";
import { EFFORT_WORDS, type Effort, parseEffort } from "#lib/config/effort.ts";
import pkg from "../../package.json" with { type: "json" };
import { countIn, DAYS_MAX, daysIn, textIn } from "./flags.ts";
import type { CliIo } from "./io.ts";
import type { Self } from "./offer.ts";

/** What a right command line comes to: runs the command, whose code is loaded only then, and keeps its exit code. */
export type Does = (command: (io: CliIo, self: Self) => Promise<number>) => Promise<void>;

/** What every command has: its help, the version, and where to look after a mistake. */
export function addBasics(command: Command): Command {
  const words: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) words.unshift(at.name());
  return command
    .helpOption("-h, --help", "show this help")
    .version(pkg.version, "--version", "print the version of mecha")
    .showHelpAfterError(`See: ${words.join(" ")} --help`);
}

/** Which stores are read, as of when, and in which zone dates are told. */
export function addStores(command: Command, zoneHelp?: string): Command {
  const source = new Option("--source <kind[=path]>", "a store to read: mecha or claude-code; repeatable");
  return addWhen(command.addOption(source.argParser(collect).default([], "every one found")), zoneHelp);
}

/** As of when things are read, and in which zone dates are told. */
export function addWhen(command: Command, zoneHelp = "time zone of dates, such as Europe/Zurich"): Command {
  return command
    .option("--as-of <time>", "as things stood at 2026-08-05, or 2026-08-05T14:30:00Z", required)
    .option("--zone <zone>", zoneHelp, required);
}

export function limit(text: string): number {
  return valid(countIn(text), "It takes a whole number from 1 up.");
}

export function days(text: string): number {
  return valid(daysIn(text), `It takes a number of days above 0, at most ${DAYS_MAX}.`);
}

export function required(text: string): string {
  return valid(textIn(text), "It must not be empty.");
}

export function effort(text: string): Effort {
  return valid(parseEffort(text), `It must be ${EFFORT_WORDS}.`);
}

export function dollars(text: string): number {
  const value = Number(text);
  const amount = /^\d+(\.\d+)?$/.test(text) && value > 0 && Number.isFinite(value) ? value : null;
  return valid(amount, "It takes an amount of US dollars above 0, such as 0.50.");
}

export function collect(text: string, before: string[]): string[] {
  return [...before, required(text)];
}

/** One of several paths, none of them empty. */
export function paths(text: string, before: string[] | undefined): string[] {
  return collect(text, before ?? []);
}

/** A parser's value, or the rule it broke as commander says it. */
export function valid<T>(value: T | null, rule: string): T {
  if (value === null) throw new InvalidArgumentError(rule);
  return value;
}
