import Link from "next/link";
import { signOutAction } from "#app/signin/actions.ts";
import { Keys } from "./keys.tsx";
import { Nav } from "./nav.tsx";
import { ThemeButton } from "./theme.tsx";

/** The bar above every page. `who`: the token that the browser is signed in with; `inside`: not a stranger at the sign-in page. */
export function Header({ who, inside }: { who: string | null; inside: boolean }) {
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-ground print:hidden">
      <div className="mx-auto flex h-12 max-w-[1440px] items-center gap-2 px-4 sm:gap-4 sm:px-6">
        <Link href="/" prefetch={false} className="flex items-center gap-2 font-semibold text-base">
          <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
            <rect width="16" height="16" rx="3" className="fill-accent" />
            <path
              d="M3 11.5 6 6l2.5 3.5L13 4.5"
              fill="none"
              className="stroke-ground"
              strokeWidth="1.6"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span className="sr-only sm:not-sr-only">mecha</span>
        </Link>
        {inside && <Nav />}
        <div className="ml-auto flex items-center gap-1">
          {inside && <Keys />}
          <ThemeButton />
          {who !== null && <SignOut who={who} />}
        </div>
      </div>
    </header>
  );
}

function SignOut({ who }: { who: string }) {
  return (
    <form action={signOutAction}>
      <button
        type="submit"
        aria-label={`Sign out ${who}`}
        title={`Signed in as ${who}: sign out`}
        className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
      >
        <svg viewBox="0 0 16 16" className="size-4" fill="none" aria-hidden="true">
          <path
            d="M6.5 3H3.5v10h3M10 5l3 3-3 3M13 8H6.5"
            className="stroke-current"
            strokeWidth="1.4"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </button>
    </form>
  );
}

/** Said on every page, so that nobody takes made-up runs for their own. */
export function DemoBanner() {
  return (
    <aside
      aria-label="Demo data"
      className="border-attention/40 border-b bg-attention-wash text-attention text-sm"
    >
      <p className="mx-auto max-w-[1440px] px-4 py-1.5 sm:px-6">
        <strong className="font-semibold">Demo data.</strong> The mecha store shown here is made up.{" "}
        <span className="print:hidden">
          Point <code className="font-mono text-xs">MECHA_SESSION_DIR</code> or{" "}
          <code className="font-mono text-xs">CLAUDE_CONFIG_DIR</code> at yours and start again.
        </span>
      </p>
    </aside>
  );
}
