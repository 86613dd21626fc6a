"use client";

import { type ReactNode, useCallback, useRef } from "react";
import { useListKeys } from "./sessions/use-list-keys.ts";

/** A list in which `j` and `k` move: its `count` children carry `data-index`, and the first link of each gets the focus. */
export function KeyedList({
  label,
  count,
  className,
  children,
}: {
  label: string;
  count: number;
  className?: string;
  children: ReactNode;
}) {
  const list = useRef<HTMLOListElement>(null);
  const show = useCallback((index: number) => {
    list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: "nearest" });
  }, []);
  useListKeys(count, show, list);
  return (
    <ol ref={list} aria-label={label} className={className}>
      {children}
    </ol>
  );
}
