"use client";

import { useEffect, useState } from "react";

/** A command line to be pasted into a shell, with a button that copies it. */
export function Command({ line, label }: { line: string; label?: string }) {
  const [copied, setCopied] = useState<"yes" | "failed" | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <span className="inline-flex max-w-full items-stretch rounded border border-line bg-raised text-sm">
      <code className="min-w-0 whitespace-pre-wrap px-2 py-1 font-mono text-xs leading-5">{line}</code>
      <button
        type="button"
        onClick={async () => setCopied((await copy(line)) ? "yes" : "failed")}
        aria-label={`Copy the command${label ? ` ${label}` : ""}: ${line}`}
        className="shrink-0 border-line border-l px-2 text-accent text-xs hover:bg-hover print:hidden"
      >
        {copied === "yes" ? "✓ copied" : copied === "failed" ? "✕ select it" : "copy"}
      </button>
      <span role="status" className="sr-only">
        {copied === "yes" ? "copied" : copied === "failed" ? "could not copy" : ""}
      </span>
    </span>
  );
}

/** False where the browser has no clipboard to give: outside a secure context, or when the person said no. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
