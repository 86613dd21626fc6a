"use client";

import { useEffect, useState } from "react";

/** How long a wait may be before it says what it is doing. */
const PATIENCE_MS = 1000;

/** Says after a second what is being waited for, and counts the seconds. */
export function Waiting({ what }: { what: string }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((n) => n + 1), PATIENCE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="status" className="h-4 text-muted text-xs">
      {seconds > 0 ? `${what} · ${seconds} s` : ""}
    </p>
  );
}

/** A bar of the given Tailwind size, in place of something that is on its way. */
export function Bar({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />;
}
