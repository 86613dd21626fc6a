"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { PAGES } from "./pages.ts";

/** The pages that exist; the one shown is marked for the eye and for a screen reader. On a phone they are folded. */
export function Nav() {
  const here = usePathname();
  // Verdicts are listed below the scorecards, and have no page of their own to be listed on.
  const place = here.startsWith("/verdicts/") ? "/scorecards" : here;
  const isHere = (href: string) =>
    href === "/" ? place === "/" : place === href || place.startsWith(`${href}/`);
  const current = PAGES.find(({ href }) => isHere(href));
  return (
    <nav aria-label="Pages" className="h-full min-w-0">
      <PageList
        isHere={isHere}
        list="hidden h-full lg:flex"
        link="flex h-full items-center whitespace-nowrap border-transparent border-b-2 px-3 text-muted text-sm hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
      />
      {/* Another page is another menu, and a new one is closed. */}
      <details key={here} className="group relative flex h-full items-center lg:hidden">
        <summary className="flex h-12 list-none items-center gap-2 px-1.5 text-sm [&::-webkit-details-marker]:hidden">
          {current?.name ?? "Pages"}
          <span aria-hidden="true" className="text-muted text-xs group-open:rotate-180">
            ▾
          </span>
        </summary>
        <PageList
          isHere={isHere}
          list="absolute top-full left-0 z-30 w-56 rounded-b border border-line bg-ground py-1 shadow-lg"
          link="block px-4 py-2.5 text-muted text-sm hover:bg-hover hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink"
        />
      </details>
    </nav>
  );
}

function PageList({ isHere, list, link }: { isHere: (href: string) => boolean; list: string; link: string }) {
  return (
    <ul className={list}>
      {PAGES.map(({ href, name }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            aria-current={isHere(href) ? "page" : undefined}
            className={link}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
