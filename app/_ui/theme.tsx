"use client";

import { ThemeProvider, useTheme } from "next-themes";
import { type ReactNode, useSyncExternalStore } from "react";

/** Light, dark or as the system has it; set before the first paint by a script that carries the page's nonce. */
export function Theme({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      enableColorScheme={false}
      nonce={nonce}
    >
      {children}
    </ThemeProvider>
  );
}

const NEXT = { light: "dark", dark: "system", system: "light" } as const;

const ICON = {
  light: (
    <path d="M8 1v2m0 10v2M1 8h2m10 0h2M3 3l1.5 1.5m7 7L13 13m0-10-1.5 1.5m-7 7L3 13M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z" />
  ),
  dark: <path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z" />,
  system: <path d="M2 3h12v8H2zM6 14h4M8 11v3" />,
} as const;

/** Goes round light, dark and the system's choice. */
export function ThemeButton() {
  const { theme, setTheme } = useTheme();
  // The server cannot know the choice, and what the browser draws first must be what the server sent.
  const hydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const current = hydrated && (theme === "light" || theme === "dark") ? theme : "system";
  const label = `Theme: ${current}. Change to ${NEXT[current]}`;
  return (
    <button
      type="button"
      onClick={() => setTheme(NEXT[current])}
      aria-label={label}
      title={label}
      className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
    >
      <svg
        viewBox="0 0 16 16"
        className="size-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        aria-hidden="true"
      >
        {ICON[current]}
      </svg>
    </button>
  );
}
