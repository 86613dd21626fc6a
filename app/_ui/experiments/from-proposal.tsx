import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { modelName, visible } from "#lib/format.ts";
import { hrefTo } from "../href.ts";

/** Whose claim the form was filled in with. */
export function FromProposal({ diagnosis }: { diagnosis: Diagnosis }) {
  const { id, provider, model, scripted, subject } = diagnosis;
  const who = model === "" || model === provider ? provider : `${provider} / ${model}`;
  return (
    <p className="mb-4 max-w-[72ch] text-sm">
      {"Filled in from "}
      <a href={hrefTo("/proposals", { proposal: id })} className="link">
        the proposal
      </a>
      {" of "}
      <bdi>{visible(who)}</bdi>
      {scripted ? " (a script, no model)" : ""}
      {" about the runs of "}
      <bdi>{visible(modelName(subject))}</bdi>
      {". Its prediction is tested when the change, its class and the predicted metric stay as they are."}
    </p>
  );
}
