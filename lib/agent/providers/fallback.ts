import type { Model } from "#lib/agent/model.ts";

/**
 * The first model, and those that stand in for it: where one is out of reach, the next answers, from then on and for the
 * rest of the conversation. To its user it is the first one, whose prices hold; `answeredBy` says who answered.
 */
export function withFallbacks(first: Model, others: readonly Model[]): Model {
  const models = [first, ...others];
  let current = 0;
  return {
    ...first,
    async ask(request, watch) {
      const problems: string[] = [];
      for (;;) {
        const model = models[current] ?? first;
        const answer = await model.ask(request, watch);
        if (answer.kind !== "failure" || !answer.transient) return answer;
        problems.push(`${nameOf(model)}: ${answer.problem}`);
        const next = models[current + 1];
        if (next === undefined)
          return others.length === 0 ? answer : { ...answer, problem: problems.join("; ") };
        watch.onNote(`${problems.at(-1)}; asking ${nameOf(next)} instead`);
        current += 1;
      }
    },
  };
}

function nameOf({ provider, model }: Model): string {
  return `${provider} (${model})`;
}
