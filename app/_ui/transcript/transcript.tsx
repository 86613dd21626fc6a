"use client";

import { useEffect, useRef } from "react";
import type { Entry, TranscriptPage } from "#lib/sources/entry.ts";
import { isTyping } from "../keys.tsx";
import { EntryView } from "./entry-view.tsx";
import type { TranscriptOrigin } from "./origin.ts";
import { useTranscript } from "./use-transcript.ts";

type TranscriptProps = {
  origin: TranscriptOrigin;
  zone: string;
  first: TranscriptPage;
  startsAt: string | null;
  /** The entry that the address points at. */
  pointedAt: string | null;
};

/** A transcript of any length: read on a page at a time, with a way to the next call that failed. */
export function Transcript({ origin, zone, first, startsAt, pointedAt }: TranscriptProps) {
  const list = useRef<HTMLOListElement>(null);
  const { entries, next, start, busy, said, current, readOn, nextFailed, fromStart } = useTranscript({
    origin,
    first,
    startsAt,
    pointedAt,
    list,
  });
  const end = useReadOnInView(readOn);
  useFailedKey(nextFailed);
  return (
    <section aria-label="Transcript" className="min-w-0">
      <div className="sticky top-12 z-10 flex h-10 items-center gap-3 border-strong border-b bg-ground">
        <h2 className="font-semibold text-base">Transcript</h2>
        <button type="button" onClick={nextFailed} className="control print:hidden">
          next failed call <kbd className="ml-1 font-mono text-muted text-xs">n</kbd>
        </button>
        <span role="status" className="truncate text-muted text-xs">
          {said}
        </span>
      </div>
      {start !== null && (
        <p className="py-2 text-muted text-xs">
          Shown from the middle.{" "}
          <button type="button" onClick={fromStart} className="link">
            From the start
          </button>
        </p>
      )}
      <ol ref={list}>
        {entries.map((entry: Entry) => (
          <EntryView
            key={entry.at}
            entry={entry}
            origin={origin}
            zone={zone}
            current={entry.at === current}
          />
        ))}
      </ol>
      {entries.length === 0 && (
        <p className="py-8 text-center text-muted">This file holds no readable entry.</p>
      )}
      {next !== null ? (
        <p ref={end} className="py-4 text-center print:hidden">
          <button type="button" onClick={readOn} aria-busy={busy} className="control">
            {busy ? "reading on…" : "Read on"}
          </button>
        </p>
      ) : (
        <p className="py-4 text-center text-muted text-xs">End of the transcript</p>
      )}
    </section>
  );
}

/** Calls `readOn` when the end of what was read comes near the screen. */
function useReadOnInView(readOn: () => void) {
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && readOn(), {
      rootMargin: "600px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [readOn]);
  return end;
}

function useFailedKey(nextFailed: () => void) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      nextFailed();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [nextFailed]);
}
