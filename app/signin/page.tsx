import type { Metadata } from "next";
import { isSignInNeeded } from "#app/_access/need.ts";
import { nextPath } from "#app/_access/paths.ts";
import { signedInName } from "#app/_access/who.ts";
import { PageHead } from "#app/_ui/page-head.tsx";
import type { Params } from "#app/search.ts";
import { signInAction, signOutAction } from "./actions.ts";
import { SignInForm } from "./sign-in-form.tsx";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<Params> }) {
  const { next: asked } = await searchParams;
  const next = nextPath(typeof asked === "string" ? asked : null);
  const who = await signedInName();
  return (
    <div className="mx-auto max-w-[52ch] py-6">
      <PageHead title="Sign in" />
      {who === null ? <SignedOut next={next} /> : <SignedIn who={who} next={next} />}
    </div>
  );
}

function SignedOut({ next }: { next: string }) {
  if (!isSignInNeeded()) {
    return (
      <p>
        Nobody has to sign in here: only this machine reaches this dashboard.{" "}
        <a href={next} className="link">
          Go on
        </a>
      </p>
    );
  }
  return (
    <>
      <SignInForm signIn={signInAction} next={next} />
      <p className="mt-6 text-muted text-sm">
        Tokens are made on the machine that runs mecha, with{" "}
        <code className="font-mono text-xs">mecha token add NAME</code>. A link to one verdict needs none.
      </p>
    </>
  );
}

function SignedIn({ who, next }: { who: string; next: string }) {
  return (
    <>
      <p>
        {"You are signed in with the token "}
        <bdi className="font-mono font-semibold text-sm">{who}</bdi>.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <a href={next} className="control inline-flex items-center no-underline">
          Go on
        </a>
        <form action={signOutAction}>
          <button type="submit" className="control">
            Sign out
          </button>
        </form>
      </div>
    </>
  );
}
