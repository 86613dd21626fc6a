import type { ReactNode } from "react";

/** A labelled control of a form, with a hint below it and, where it could not be used, the problem in its place. */
export function Field({
  name,
  label,
  hint,
  problem,
  className = "",
  children,
}: {
  /** Also of the control inside: it points at `problem-NAME` where there is one. */
  name: string;
  label: string;
  hint?: ReactNode;
  problem: string | null;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={`min-w-0 ${className}`}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is its child */}
      <label className="block text-muted text-xs">
        <span className="mb-1 block">{label}</span>
        {children}
      </label>
      <FieldNote name={name} hint={hint} problem={problem} />
    </div>
  );
}

/** What stands below a field. */
export function FieldNote({
  name,
  hint,
  problem,
}: {
  name: string;
  hint?: ReactNode;
  problem: string | null;
}) {
  if (problem !== null) {
    return (
      <p id={`problem-${name}`} className="mt-1 max-w-[72ch] text-broken text-xs">
        <span aria-hidden="true">✕ </span>
        {problem}
      </p>
    );
  }
  return hint ? <div className="mt-1 max-w-[72ch] text-muted text-xs">{hint}</div> : null;
}

/** What a control says of its problem to who cannot see it. */
export function invalid(name: string, problem: string | null) {
  return problem === null ? {} : { "aria-invalid": true, "aria-describedby": `problem-${name}` };
}
