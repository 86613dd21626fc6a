import type { Metadata } from "next";
import Link from "next/link";
import { PAGES } from "#app/_ui/pages.ts";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">There is no such page</h1>
      <p className="mb-4">These are the pages that there are:</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {PAGES.map(({ href, name }) => (
          <li key={href}>
            <Link href={href} prefetch={false} className="link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
