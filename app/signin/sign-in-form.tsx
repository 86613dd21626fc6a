"use client";

import { useActionState } from "react";

type Outcome = { problem: string } | null;

/** Works before the page's script does, and without it. */
export function SignInForm({
  signIn,
  next,
}: {
  signIn: (before: Outcome, form: FormData) => Promise<{ problem: string }>;
  next: string;
}) {
  const [outcome, act, pending] = useActionState<Outcome, FormData>(signIn, null);
  return (
    <form action={act} aria-label="Sign in">
      <input type="hidden" name="next" value={next} />
      <label className="block text-muted text-xs">
        <span className="mb-1 block">Token</span>
        <input
          name="token"
          type="password"
          required
          maxLength={200}
          autoComplete="current-password"
          spellCheck={false}
          aria-describedby={outcome === null ? undefined : "sign-in-problem"}
          aria-invalid={outcome === null ? undefined : true}
          className="control w-full font-mono text-ink"
        />
      </label>
      {outcome !== null && (
        <p id="sign-in-problem" role="alert" className="mt-2 text-broken text-sm">
          {`✕ ${outcome.problem}`}
        </p>
      )}
      <button type="submit" disabled={pending} aria-busy={pending} className="control mt-3">
        Sign in
      </button>
    </form>
  );
}
