import type { ReactNode } from "react";
import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { duration, modelName, money, visible } from "#lib/format.ts";
import { grouped } from "../number.ts";

/** Who looked at whose runs, and what it took. */
export function DiagnosisFacts({ diagnosis }: { diagnosis: Diagnosis }) {
  const { subject, provider, model, scripted, usage, cost_usd, elapsed_ms, window } = diagnosis;
  const tokens = usage === null ? null : Object.values(usage).reduce((sum, n) => sum + n, 0);
  const days = window.days === null ? "" : ` of the last ${grouped(window.days)} days`;
  return (
    <dl className="mt-2 grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2 gap-y-0.5 text-xs">
      <Fact name="runs of">
        <bdi>{visible(modelName(subject))}</bdi>
      </Fact>
      <Fact name="asked">
        <bdi>{provider === "" ? "the configured provider" : visible(provider)}</bdi>
        {model !== "" && model !== provider && (
          <>
            {" / "}
            <bdi className="font-mono">{visible(model)}</bdi>
          </>
        )}
        {scripted && <span className="text-attention"> (a script, no model)</span>}
      </Fact>
      <Fact name="looked at">{`up to ${grouped(window.limit)} sessions${days}`}</Fact>
      <Fact name="took">
        {tokens === null ? "tokens unknown" : `${grouped(tokens)} tokens`}
        {" · "}
        {cost_usd === null ? "cost unknown" : cost(cost_usd)}
        {" · "}
        <span className="whitespace-nowrap">{duration(elapsed_ms)}</span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** A diagnosis often costs less than a cent, which is not nothing. */
function cost(usd: number): string {
  return usd > 0 && usd < 0.005 ? "under $0.01" : money(usd);
}
