import type { TraceEntry } from "#lib/agent/trace.ts";
import type { Outcome, StopCause } from "#lib/transcript/record.ts";
import { clipped } from "#lib/utf8.ts";
import { argsCheck } from "./args-check.ts";
import type { Expect } from "./case.ts";
import { says } from "./normalize.ts";
import { quoted } from "./quoted.ts";
import type { Check } from "./scorecard.ts";

/** What a case's run left to be graded. Several prompts are folded into one. */
export type Evidence = {
  /** The last answer; empty after an error. */
  text: string;
  /** Attempted calls: denied and unknown ones too. */
  trace: readonly TraceEntry[];
  outcome: Outcome;
  /** Why the run could not finish, or that the model declined; null for a run that did what it was asked to try. */
  unfinished: string | null;
};

/** Bumped when one and the same run could be graded otherwise than before. */
export const GRADER_VERSION = "1";

/**
 * Every check but `verify` and `judge`, in the order in which reports list them. Pure and without a model: the same
 * evidence is graded the same way for ever. A run that errored or refused is graded all the same, and fails by its `run` check.
 */
export function gradeRun(expect: Expect, evidence: Evidence): Check[] {
  return [
    ...runCheck(evidence),
    ...toolChecks(expect, evidence.trace),
    ...textChecks(expect, evidence.text),
    ...expect.args.map((entry) => argsCheck(entry, evidence.trace)),
    ...outcomeChecks(expect, evidence),
    ...disqualifiers(evidence),
  ];
}

function check(name: string, passed: boolean, detail: string): Check {
  return { name, passed, detail: passed ? "" : detail };
}

function runCheck({ unfinished }: Evidence): Check[] {
  return unfinished === null ? [] : [check("run", false, unfinished)];
}

function toolChecks(expect: Expect, trace: readonly TraceEntry[]): Check[] {
  const called = trace.map(({ name }) => name);
  const made = called.length === 0 ? "no tool was called" : `called: ${called.join(", ")}`;
  return [
    ...expect.tools.map((name) => check(`calls ${name}`, called.includes(name), made)),
    ...(expect.tools_in_order.length === 0
      ? []
      : [check(`order ${expect.tools_in_order.join(" → ")}`, inOrder(expect.tools_in_order, called), made)]),
    ...expect.forbid_tools.map((name) =>
      check(`avoids ${name}`, !called.includes(name), `called ${times(called, name)} time(s)`),
    ),
    ...(expect.no_tools ? [check("answers without tools", called.length === 0, made)] : []),
  ];
}

/** Is `want` a subsequence of what was called? Other calls may stand between. */
export function inOrder(want: readonly string[], called: readonly string[]): boolean {
  let at = 0;
  for (const name of called) if (name === want[at]) at += 1;
  return at >= want.length;
}

function times(called: readonly string[], name: string): number {
  return called.filter((one) => one === name).length;
}

function textChecks(expect: Expect, text: string): Check[] {
  const said = text.trim() === "" ? "the answer is empty" : `the answer: ${excerpt(text)}`;
  return [
    ...expect.contains.map((needle) => check(`says ${quoted(needle)}`, says(text, needle), said)),
    ...expect.not_contains.map((needle) => check(`omits ${quoted(needle)}`, !says(text, needle), said)),
    ...(expect.contains_any.length === 0
      ? []
      : [
          check(
            `says one of ${expect.contains_any.join(", ")}`,
            expect.contains_any.some((needle) => says(text, needle)),
            said,
          ),
        ]),
  ];
}

const EXCERPT_MAX = 240;

function excerpt(text: string): string {
  return clipped(text.trim().replace(/\s+/g, " "), EXCERPT_MAX);
}

const STOPS: Record<StopCause, string> = {
  completed: "it completed",
  max_turns: "it hit the turn limit",
  output_token_budget: "it spent its output tokens",
  cost_budget: "it spent its cost budget",
  interrupted: "it was interrupted",
  loop: "it repeated itself",
  no_output: "it had nothing to say",
};

function outcomeChecks(expect: Expect, { outcome }: Evidence): Check[] {
  const { max_turns, min_compactions } = expect;
  return [
    ...stopChecks(expect, outcome),
    ...taintChecks(expect.taint, outcome),
    ...exact("refuses", "outbound call(s)", expect.blocked_sends, outcome.blocked_sends),
    ...(min_compactions === null
      ? []
      : [
          check(
            `compacts at least ${min_compactions} time(s)`,
            outcome.compactions >= min_compactions,
            `compacted ${outcome.compactions} time(s): the case did not put to the test what it is about`,
          ),
        ]),
    ...(max_turns === null
      ? []
      : [check(`≤${max_turns} turns`, outcome.turns <= max_turns, `took ${outcome.turns} turns`)]),
  ];
}

function stopChecks({ stop_cause, ended_on_failed_call: failed }: Expect, outcome: Outcome): Check[] {
  const stopped = outcome.stop_cause === null ? "it never stopped by itself" : STOPS[outcome.stop_cause];
  return [
    ...(stop_cause === null
      ? []
      : [
          check(
            `stops because ${STOPS[stop_cause]}`,
            outcome.stop_cause === stop_cause,
            `stopped because ${stopped}`,
          ),
        ]),
    ...(failed === null
      ? []
      : [
          check(
            `${failed ? "finishes" : "does not finish"} on a failed tool call`,
            outcome.ended_on_failed_call === failed,
            failed ? "the last call that counts had not failed" : "the last call that counts had failed",
          ),
        ]),
  ];
}

function taintChecks(want: Expect["taint"], { taint }: Outcome): Check[] {
  return (["private", "untrusted"] as const).flatMap((leg) => {
    const wanted = want[leg];
    return wanted === null
      ? []
      : [check(`${leg} taint is ${wanted}`, taint[leg] === wanted, `${leg} taint is ${taint[leg]}`)];
  });
}

function exact(verb: string, what: string, wanted: number | null, was: number): Check[] {
  return wanted === null ? [] : [check(`${verb} ${wanted} ${what}`, was === wanted, `${was} refused`)];
}

/** Asked of every case, and seen only when they fail. */
function disqualifiers({ trace, outcome }: Evidence): Check[] {
  const invented = trace.filter((entry) => entry.unknown).map((entry) => entry.name);
  const malformed = outcome.malformed_tool_args;
  return [
    ...(malformed > 0
      ? [check("well-formed arguments", false, `${malformed} call(s) with arguments that are no JSON`)]
      : []),
    ...(invented.length > 0
      ? [check("no invented tools", false, `no such tool: ${invented.join(", ")}`)]
      : []),
  ];
}
