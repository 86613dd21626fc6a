import { useState } from "react";
import type { FormChoices, FormField } from "#app/experiment-form.ts";
import { visible } from "#lib/format.ts";
import { Field, FieldNote, invalid } from "../field.tsx";
import { ProviderOptions } from "../provider-options.tsx";
import type { FieldParts } from "./field-parts.ts";

/** Who is measured, over which cases, how often, and who judges. */
export function MeasuringFields({ parts, choices }: { parts: FieldParts; choices: FormChoices }) {
  const { textOf, problemOf } = parts;
  const { sets, servers, providers } = choices;
  const text = (name: FormField, label: string, more: { placeholder?: string; digits?: boolean }) => (
    <Field name={name} label={label} problem={problemOf(name)}>
      <input
        name={name}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        inputMode={more.digits ? "numeric" : "text"}
        placeholder={more.placeholder}
        defaultValue={textOf(name)}
        className="control w-full text-ink"
        {...invalid(name, problemOf(name))}
      />
    </Field>
  );
  return (
    <fieldset className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-6 [&>div]:sm:col-span-2">
      <legend className="mb-2 font-semibold text-sm">How it is measured</legend>
      <Field name="provider" label="Provider" problem={problemOf("provider")}>
        <select
          name="provider"
          defaultValue={textOf("provider")}
          className="control w-full text-ink"
          {...invalid("provider", problemOf("provider"))}
        >
          <ProviderOptions providers={providers} />
        </select>
      </Field>
      {text("model", "Model of it", { placeholder: "its own" })}
      <Field name="mcp_file" label="Tool servers" problem={problemOf("mcp_file")}>
        <select
          name="mcp_file"
          defaultValue={textOf("mcp_file")}
          className="control w-full text-ink"
          {...invalid("mcp_file", problemOf("mcp_file"))}
        >
          <option value="">none</option>
          {servers.map(({ name }) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
      </Field>
      <Cases parts={parts} sets={sets} />
      {text("runs", "Runs of each case", { placeholder: "1", digits: true })}
      {text("concurrency", "At once", { placeholder: "4", digits: true })}
      <Field
        name="judge_provider"
        label="Judge, where cases ask for one"
        problem={problemOf("judge_provider")}
      >
        <select
          name="judge_provider"
          defaultValue={textOf("judge_provider")}
          className="control w-full text-ink"
          {...invalid("judge_provider", problemOf("judge_provider"))}
        >
          <ProviderOptions providers={providers} unset="the model itself" />
        </select>
      </Field>
      {text("judge_model", "Model of the judge", { placeholder: "its own" })}
    </fieldset>
  );
}

const TAGS_SHOWN = 12;

/** The case set, and which of its cases; the tags that it knows stand below. */
function Cases({ parts: { textOf, problemOf }, sets }: { parts: FieldParts; sets: FormChoices["sets"] }) {
  const [chosen, choose] = useState(textOf("cases"));
  const set = sets.find(({ name }) => name === chosen) ?? sets[0];
  const tags = set?.tags.slice(0, TAGS_SHOWN).map(({ tag, cases }) => `${tag} ${cases}`) ?? [];
  return (
    <>
      <Field name="cases" label="Cases" problem={problemOf("cases")}>
        <select
          name="cases"
          defaultValue={textOf("cases")}
          onChange={(event) => choose(event.target.value)}
          className="control w-full text-ink"
          {...invalid("cases", problemOf("cases"))}
        >
          {sets.map(({ name, cases, problem }) => (
            <option key={name} value={name}>
              {`${visible(name)} (${problem === null ? cases : "cannot be read"})`}
            </option>
          ))}
        </select>
      </Field>
      <div className="min-w-0 sm:col-span-4!">
        <label className="block text-muted text-xs">
          <span className="mb-1 block">Only cases with a tag of</span>
          <input
            name="tags"
            autoComplete="off"
            spellCheck={false}
            maxLength={1000}
            placeholder="all of them"
            defaultValue={textOf("tags")}
            className="control w-full text-ink"
            {...invalid("tags", problemOf("tags"))}
          />
        </label>
        <FieldNote
          name="tags"
          problem={problemOf("tags")}
          hint={
            set?.problem != null ? (
              <span className="text-attention">{visible(set.problem)}</span>
            ) : (
              tags.length > 0 && (
                <bdi>
                  {visible(
                    `${tags.join(" · ")}${(set?.tags.length ?? 0) > TAGS_SHOWN ? ` · and ${(set?.tags.length ?? 0) - TAGS_SHOWN} more` : ""}`,
                  )}
                </bdi>
              )
            )
          }
        />
      </div>
    </>
  );
}
