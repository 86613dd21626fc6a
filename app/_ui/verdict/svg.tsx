import { createElement, type ReactNode } from "react";
import type { SvgNode } from "#lib/verdict/svg.ts";

const NAMES: Record<string, string> = { class: "className", "text-anchor": "textAnchor" };

/** A drawing of the verdict's library as elements; the exported file has the same one as text. */
export function Drawing({ drawing }: { drawing: SvgNode }) {
  return (
    <div className="max-w-[520px] [&_line.floor]:stroke-ink [&_line.floor]:[stroke-dasharray:4_3] [&_rect.better]:fill-(--series-1) [&_rect.mark]:fill-accent [&_rect.same]:fill-strong/50 [&_rect.worse]:fill-(--series-2) [&_svg]:h-auto [&_svg]:w-full [&_text]:fill-ink [&_text]:text-[11px]">
      {elementOf(drawing, "0")}
    </div>
  );
}

/** A drawing, or a part of one, as an element. */
export function elementOf({ tag, attrs, children }: SvgNode, key: string): ReactNode {
  const props = Object.fromEntries(
    Object.entries(attrs).map(([name, value]) => [NAMES[name] ?? name, value]),
  );
  const inner = children.map((child, at) =>
    typeof child === "string" ? child : elementOf(child, String(at)),
  );
  return createElement(tag, { ...props, key }, ...inner);
}
