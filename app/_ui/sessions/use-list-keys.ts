"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { isTyping } from "../keys.tsx";

/** Frames to wait for a row to be drawn after the list was scrolled to it. */
const FRAMES_MAX = 12;

/** `j` and `k` move through a list of rows with `data-index`; the row's link gets the focus, so `Enter` opens it. */
export function useListKeys(
  count: number,
  scrollTo: (index: number) => void,
  list: RefObject<HTMLElement | null>,
): number {
  const [active, setActive] = useState(-1);
  // Two keys may come before the list is drawn again.
  const latest = useRef(-1);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (step === 0 || count === 0) return;
      event.preventDefault();
      const next = Math.min(count - 1, Math.max(0, latest.current + step));
      latest.current = next;
      setActive(next);
      scrollTo(next);
      focusRow(list, latest, next, FRAMES_MAX);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [count, scrollTo, list]);
  return active;
}

/** Focuses the row once it is drawn, unless another key has come since: that one's row has the focus then. */
function focusRow(
  list: RefObject<HTMLElement | null>,
  latest: RefObject<number>,
  index: number,
  frames: number,
) {
  if (latest.current !== index) return;
  const link = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRow(list, latest, index, frames - 1));
}
