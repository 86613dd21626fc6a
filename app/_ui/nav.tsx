"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { PAGES } from "./pages.ts";

/** The pages that exist; the one shown is marked for the eye and for a screen reader. */
export function Nav() {
  const here = usePathname();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (here !== "") showCurrent(bar.current);
  }, [here]);
  return (
    <nav
      ref={bar}
      aria-label="Pages"
      className="flex h-full min-w-0 overflow-x-auto overflow-y-hidden [scrollbar-width:none] max-sm:pr-4 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-16px),transparent)]"
    >
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

/** On a phone not every page has room: the one shown is moved into sight. */
function showCurrent(bar: HTMLElement | null) {
  const current = bar?.querySelector<HTMLElement>("[aria-current]");
  if (!bar || !current) return;
  bar.scrollLeft = current.offsetLeft - bar.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
}
