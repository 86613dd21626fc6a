"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { PAGES } from "./pages.ts";

/** How long the second key of a `g …` pair may take. */
const PAIR_MS = 1200;

const KEYS = [
  ["/", "Go to the filter of this page"],
  ...PAGES.map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
  ["j  k", "Next and previous in a list"],
  ["Enter", "Open what is selected"],
  ["n", "Next failed call of a transcript"],
  ["?", "This list"],
  ["Esc", "Close, or leave a field"],
] as const;

/** The shortcuts that work on every page, and the button and dialog that list all of them. */
export function Keys() {
  const [open, setOpen] = useState(false);
  useShortcuts(() => setOpen(true));
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        className="hidden size-7 place-items-center rounded text-muted text-sm hover:bg-hover hover:text-ink sm:grid"
      >
        ?
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-ground/60" />
        <Dialog.Popup className="fixed top-24 left-1/2 z-40 w-[min(420px,calc(100vw-32px))] -translate-x-1/2 rounded-md border border-line bg-ground p-4 shadow-lg">
          <Dialog.Title className="mb-3 font-semibold text-base">Keyboard</Dialog.Title>
          <dl className="grid grid-cols-[72px_1fr] gap-y-2 text-sm">
            {KEYS.map(([key, what]) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs">
                    {key}
                  </kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <Dialog.Close className="control mt-4">Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useShortcuts(showKeys: () => void) {
  const router = useRouter();
  const pairSince = useRef(0);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target)) {
        if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
        return;
      }
      const afterG = event.timeStamp - pairSince.current < PAIR_MS && pairSince.current > 0;
      pairSince.current = event.key === "g" && !afterG ? event.timeStamp : 0;
      const page = afterG ? PAGES.find(({ key }) => key === event.key) : undefined;
      if (page) {
        event.preventDefault();
        router.push(page.href);
      } else if (event.key === "?") {
        event.preventDefault();
        showKeys();
      } else if (event.key === "/") {
        focusFilter(event);
      }
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [router, showKeys]);
}

/** The first control of the page that is marked as its filter. */
function focusFilter(event: KeyboardEvent) {
  const filter = document.querySelector<HTMLElement>("[data-filter]");
  if (filter === null) return;
  event.preventDefault();
  filter.focus();
  if (filter instanceof HTMLInputElement) filter.select();
}

/** Whether a key belongs to the element that has the focus rather than to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
