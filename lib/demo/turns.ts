import { type Call, makeCall, type Scene, taintOf } from "./calls.ts";
import type { RunPlan } from "./plan-runs.ts";
import { type Random, share } from "./random.ts";

/** How many calls each turn makes. What brings the taint in comes before a blocked send, and a loop ends call by call. */
export function turnSizes({ stop, calls }: RunPlan, maxTurns: number, random: Random): number[] {
  const head = new Array<number>(calls.includes("blocked_send") ? 3 : 0).fill(1);
  const tail = new Array<number>(stop === "loop" ? 2 : 0).fill(1);
  const middle = calls.length - head.length - tail.length;
  const most = maxTurns - 2 - head.length - tail.length;
  const turns =
    stop === "max_turns" ? maxTurns : Math.min(most, Math.ceil(middle * (0.6 + random.next() * 0.4)));
  const weights = Array.from({ length: turns }, () => 0.2 + random.next());
  return [
    ...head,
    ...share(
      middle,
      weights,
      weights.map(() => 1),
    ),
    ...tail,
  ];
}

/** After which turns (1-based) a summary takes the place of what was said. A loop is only noticed after one. */
export function rewriteTurns({ stop, compactions }: RunPlan, turns: number): number[] {
  if (stop === "loop") return [turns - 2];
  return Array.from({ length: compactions }, (_, i) => Math.floor(((i + 1) * turns) / (compactions + 1)));
}

/** The next calls of a run, for one turn. */
export function makeBatch(plan: RunPlan, before: readonly Call[], size: number, scene: Scene): Call[] {
  const made = [...before];
  for (let i = 0; i < size; i += 1) {
    const call = nextCall(plan, made, scene);
    const taint = taintOf(call);
    scene.taint = {
      private: scene.taint.private || taint.private,
      untrusted: scene.taint.untrusted || taint.untrusted,
    };
    made.push(call);
  }
  return made.slice(before.length);
}

/** Only the last call of a loop repeats one: the guard would end any other run that did. */
function nextCall(plan: RunPlan, made: readonly Call[], scene: Scene): Call {
  const previous = made.at(-1);
  if (plan.stop === "loop" && previous && made.length === plan.calls.length - 1) return previous;
  const state = plan.calls[made.length] ?? "ok";
  const leadsUp = plan.calls.includes("blocked_send") ? made.length : null;
  for (let attempt = 1; ; attempt += 1) {
    const call = makeCall(state, leadsUp, scene);
    const repeats = made.slice(-3).some((one) => one.name === call.name && one.result === call.result);
    if (!repeats || attempt === 20) return call;
  }
}
