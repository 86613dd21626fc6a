"use client";

import { debounce, parseAsString, useQueryState } from "nuqs";
import { useTransition } from "react";
import { visible } from "#lib/format.ts";

/** One choice; the empty value is the default and leaves the address. */
export type Choice = { value: string; name: string };

type PickerProps = {
  name: string;
  label: string;
  choices: Choice[];
  passedOver?: string;
  shortcut?: boolean;
};

/**
 * A choice that lives in the address: picking one loads the page that shows it. A value that is not among the choices
 * is shown all the same; where the page passes over such a value, `passedOver` is the choice it took instead. With `shortcut`,
 * `/` goes there.
 */
export function Picker({ name, label, choices, passedOver, shortcut = false }: PickerProps) {
  const [pending, startTransition] = useTransition();
  const [asked, setValue] = useQueryState(
    name,
    parseAsString.withDefault("").withOptions({ shallow: false, history: "push", startTransition }),
  );
  const isKnown = (value: string) => choices.some((choice) => choice.value === value);
  const value = isKnown(asked) ? asked : (passedOver ?? asked);
  return (
    <label className="inline-flex min-w-0 max-w-full">
      <span className="sr-only">{label}</span>
      <select
        name={name}
        value={value}
        aria-busy={pending}
        data-filter={shortcut ? "" : undefined}
        onChange={(event) => void setValue(event.target.value === "" ? null : event.target.value)}
        className="control max-w-56 aria-busy:animate-pulse"
      >
        {!isKnown(value) && <option value={value}>{visible(value)}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A text that lives in the address and narrows the page while it is typed; `/` goes there. */
export function TextFilter({ name, label }: { name: string; label: string }) {
  const [pending, startTransition] = useTransition();
  const [value, setValue] = useQueryState(
    name,
    parseAsString
      .withDefault("")
      .withOptions({ shallow: false, history: "replace", startTransition, limitUrlUpdates: debounce(200) }),
  );
  return (
    <label className="inline-flex min-w-0 grow sm:grow-0">
      <span className="sr-only">{label}</span>
      <input
        type="search"
        name={name}
        value={value}
        data-filter=""
        aria-busy={pending}
        placeholder={`${label}  /`}
        maxLength={200}
        onChange={(event) => void setValue(event.target.value === "" ? null : event.target.value)}
        className="control w-full sm:w-64"
      />
    </label>
  );
}

/** A yes-or-no that lives in the address. */
export function Toggle({ name, label }: { name: string; label: string }) {
  const [pending, startTransition] = useTransition();
  const [value, setValue] = useQueryState(
    name,
    parseAsString.withDefault("").withOptions({ shallow: false, history: "push", startTransition }),
  );
  return (
    <label className="control inline-flex cursor-pointer items-center gap-2 has-checked:border-accent has-checked:bg-accent-wash">
      <input
        type="checkbox"
        name={name}
        value="1"
        checked={value === "1"}
        aria-busy={pending}
        onChange={(event) => void setValue(event.target.checked ? "1" : null)}
        className="accent-accent"
      />
      {label}
    </label>
  );
}
