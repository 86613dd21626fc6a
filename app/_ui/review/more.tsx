import type { ReactNode } from "react";

/** The rest of a list, as a number and, where there is one, the way to it. */
export function More({ more, href }: { more: number; href?: string }) {
  if (more === 0) return null;
  return (
    <li className="text-muted text-xs">
      {href === undefined ? `and ${more} more` : <a href={href} className="link">{`and ${more} more`}</a>}
    </li>
  );
}

export function None({ children }: { children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>;
}
