import { OVERRIDE_KEYS } from "#lib/agent/overrides.ts";
import { EFFORTS } from "#lib/transcript/record.ts";
import { FieldNote, invalid } from "../field.tsx";
import type { FieldParts } from "./field-parts.ts";

const HINTS: Record<(typeof OVERRIDE_KEYS)[number], string> = {
  max_turns: "turns that a run may take",
  max_output_tokens: "output tokens that a run may spend",
  compact_at_tokens: "from how many tokens on a conversation is compacted; 0 is never",
  effort: "how hard the model is asked to think",
};

/** The one that is turned most comes first. */
const ORDER = [...OVERRIDE_KEYS].sort((a, b) => Number(b === "max_turns") - Number(a === "max_turns"));

/** The closed set of knobs that a comparison may turn; one that is left empty stays as configured. */
export function Knobs({ parts: { textOf, problemOf } }: { parts: FieldParts }) {
  const problem = problemOf("change");
  return (
    <fieldset>
      <legend className="mb-2 font-semibold text-sm">
        The change{" "}
        <span className="font-normal text-muted text-xs">what is left empty stays as configured</span>
      </legend>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {ORDER.map((key, at) => {
          const name = `knob.${key}` as const;
          // A change with nothing in it is told where it could be written down.
          const wrong = problemOf(name) ?? (at === 0 ? problem : null);
          return (
            <div key={key} className="min-w-0">
              {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is one of the two below */}
              <label className="flex items-center gap-2">
                <span className="w-36 shrink-0 font-mono text-xs">{key}</span>
                <span aria-hidden="true" className="text-muted">
                  =
                </span>
                {key === "effort" ? (
                  <select
                    name={name}
                    defaultValue={textOf(name)}
                    className="control min-w-0 grow"
                    {...invalid(name, wrong)}
                  >
                    <option value="">as configured</option>
                    {EFFORTS.map((effort) => (
                      <option key={effort}>{effort}</option>
                    ))}
                  </select>
                ) : (
                  <input
                    name={name}
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={30}
                    placeholder="as configured"
                    defaultValue={textOf(name)}
                    className="control min-w-0 grow"
                    {...invalid(name, wrong)}
                  />
                )}
              </label>
              <FieldNote name={name} hint={HINTS[key]} problem={wrong} />
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
