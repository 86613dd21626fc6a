import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { DEFAULT_HOLDOUT_IN } from "#lib/gate/split.ts";
import { Field, invalid } from "../field.tsx";
import type { FieldParts } from "./field-parts.ts";

/** The prediction, as it will stand before anything is measured. */
export function ClaimFields({ parts: { textOf, problemOf } }: { parts: FieldParts }) {
  return (
    <fieldset className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-3">
      <legend className="mb-2 font-semibold text-sm">What it is said to do</legend>
      <Field name="metric" label="Predicted to fall" problem={problemOf("metric")}>
        <select
          name="metric"
          defaultValue={textOf("metric")}
          className="control w-full text-ink"
          {...invalid("metric", problemOf("metric"))}
        >
          <option value="">nothing: judge case passes</option>
          {COST_METRICS.map((metric) => (
            <option key={metric}>{metric}</option>
          ))}
        </select>
      </Field>
      <Field
        name="class"
        label="Class of the change"
        hint="Architecture and security never pass by measuring: a person decides."
        problem={problemOf("class")}
      >
        <select
          name="class"
          defaultValue={textOf("class")}
          className="control w-full text-ink"
          {...invalid("class", problemOf("class"))}
        >
          {CHANGE_CLASSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Field>
      <Field name="holdout_in" label="Held out: one case in" problem={problemOf("holdout_in")}>
        <input
          name="holdout_in"
          inputMode="numeric"
          autoComplete="off"
          placeholder={String(DEFAULT_HOLDOUT_IN)}
          defaultValue={textOf("holdout_in")}
          className="control w-full text-ink"
          {...invalid("holdout_in", problemOf("holdout_in"))}
        />
      </Field>
      <Field
        name="rationale"
        label="Because (optional)"
        className="sm:col-span-3"
        hint="All of this is fixed when it is queued, before anything is measured."
        problem={problemOf("rationale")}
      >
        <textarea
          name="rationale"
          rows={2}
          maxLength={4000}
          defaultValue={textOf("rationale")}
          className="control h-auto! w-full py-1 text-ink"
          {...invalid("rationale", problemOf("rationale"))}
        />
      </Field>
    </fieldset>
  );
}
