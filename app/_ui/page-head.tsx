import type { ReactNode } from "react";
import { visible } from "#lib/format.ts";

/** Where a page that stands in no menu belongs: the page above it, and on the way to this one `children`. */
export function PagePath({ href, name, children }: { href: string; name: string; children?: ReactNode }) {
  return (
    <nav aria-label="Path" className="mb-1 text-muted text-xs print:hidden">
      <a href={href} className="link">
        {name}
      </a>
      {" / "}
      {children}
    </nav>
  );
}

/** The title of a page, with its controls at the right and a line of facts below. */
export function PageHead({
  title,
  controls,
  facts,
}: {
  title: ReactNode;
  controls?: ReactNode;
  facts?: ReactNode;
}) {
  return (
    <div className="mb-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h1 className="font-semibold text-lg">{title}</h1>
        {controls}
      </div>
      {facts && <div className="mt-1 text-muted text-xs">{facts}</div>}
    </div>
  );
}

/** A part of a page under its own heading. */
export function Section({
  id,
  title,
  aside,
  children,
}: {
  id?: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-label={title} className="mt-8 border-line border-t pt-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold text-base">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Nothing to show: one sentence on why, and what fills the place. */
export function Empty({ why, children }: { why: string; children?: ReactNode }) {
  return (
    <div className="rounded border border-line border-dashed px-4 py-8 text-center">
      <p className="mx-auto max-w-[72ch] text-base">{why}</p>
      {children && <div className="mt-3 text-muted text-sm">{children}</div>}
    </div>
  );
}

/** Something in the address or the environment that could not be used, said where the person looks. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p
      role="alert"
      className="mb-4 rounded border border-attention/40 bg-attention-wash px-3 py-2 text-attention text-sm"
    >
      <span aria-hidden="true">! </span>
      {children}
    </p>
  );
}

/** A page that cannot be shown, and the line that says what a person can do about it. */
export function Trouble({ title, problem }: { title: string; problem: string }) {
  return (
    <>
      <PageHead title={title} />
      <Problem>{visible(problem)}</Problem>
    </>
  );
}
