"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { PAGES } from "./pages.ts";

/** The pages that exist; the one shown is marked for the eye and for a screen reader. */
export function Nav() {
  const here = usePathname();
  return (
    <nav aria-label="Pages" className="flex h-full">
      {PAGES.map(({ href, name }) => {
        const current = href === "/" ? here === "/" : here === href || here.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            prefetch={false}
            aria-current={current ? "page" : undefined}
            className="flex h-full items-center whitespace-nowrap border-transparent border-b-2 px-1.5 text-muted text-sm hover:text-ink aria-[current]:border-accent aria-[current]:text-ink sm:px-3"
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
