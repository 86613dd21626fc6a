"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";

/** Draws the page anew every `everyMs` for as long as it stands there; never twice at once, and not while nobody looks. */
export function Live({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const busy = useRef(false);
  useEffect(() => {
    busy.current = pending;
  }, [pending]);
  useEffect(() => {
    const look = () => {
      if (busy.current || document.hidden) return;
      startTransition(() => router.refresh());
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [router, everyMs]);
  return null;
}
