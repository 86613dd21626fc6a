"use client";

import { parseAsString, useQueryState } from "nuqs";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Entry, TranscriptPage } from "#lib/sources/entry.ts";
import type { FailedCall } from "#lib/sources/page.io.ts";
import { hrefTo } from "../href.ts";
import { contextBefore } from "./context.ts";
import type { TranscriptOrigin } from "./origin.ts";

/** Entries kept on the page; the earliest are let go beyond it. */
const ENTRIES_MAX = 1000;

/** A stretch of a transcript: its entries, where it starts (null = the beginning) and where the next page does. */
type Stretch = { entries: Entry[]; start: string | null; next: string | null };

type Ask = {
  origin: TranscriptOrigin;
  first: TranscriptPage;
  startsAt: string | null;
  /** The entry that the address points at. */
  pointedAt: string | null;
  list: RefObject<HTMLElement | null>;
};

/** The part of a transcript that is on the page, and the ways to move it. */
export function useTranscript({ origin, first, startsAt, pointedAt, list }: Ask) {
  const [stretch, setStretch] = useState<Stretch>({
    entries: first.entries,
    start: startsAt,
    next: first.next,
  });
  const [current, setCurrent] = useState<string | null>(pointedAt);
  const [busy, setBusy] = useState(false);
  const [said, say] = useState("");
  const [, setAt] = useQueryState("at", parseAsString.withOptions({ history: "replace" }));
  // What callbacks read must be what is drawn, and they must not change with it: an observer holds on to one of them.
  const latest = useRef({ stretch, current, reading: false, tail: Promise.resolve() });
  latest.current.stretch = stretch;
  latest.current.current = current;

  /** One after the other: each piece of work starts from what the one before it left. */
  const queued = useCallback((work: () => Promise<void>) => {
    const run = async () => {
      setBusy(true);
      try {
        await work();
      } catch (error) {
        say(error instanceof Error ? `✕ ${error.message}` : "✕ it could not be read");
      } finally {
        setBusy(false);
      }
    };
    latest.current.tail = latest.current.tail.then(run);
  }, []);

  const api = useCallback(
    <T>(what: string, params: Record<string, string | null>) =>
      getJson<T>(hrefTo(`${origin.path}/${what}`, { ...origin.params, ...params })),
    [origin],
  );

  const readOn = useCallback(() => {
    if (latest.current.reading) return;
    latest.current.reading = true;
    queued(async () => {
      try {
        const { next } = latest.current.stretch;
        if (next === null) return;
        const page = await api<TranscriptPage>("entries", { from: next });
        setStretch((before) => (before.next === next ? joined(before, page) : before));
      } finally {
        latest.current.reading = false;
      }
    });
  }, [queued, api]);

  const goTo = useCallback(
    async (at: string | null) => {
      const start = at === null ? null : contextBefore(at);
      const page = await api<TranscriptPage>("entries", { from: start });
      const reached = at === null || page.entries.some((entry) => entry.at === at);
      const shown = reached ? page : await api<TranscriptPage>("entries", { from: at });
      setStretch({ entries: shown.entries, start: reached ? start : at, next: shown.next });
      void setAt(at);
    },
    [api, setAt],
  );

  const nextFailed = useCallback(() => {
    queued(async () => {
      const { entries, next } = latest.current.stretch;
      const after = positionOf(latest.current.current, entries, list.current);
      const known = entries.slice(after + 1).find(({ state }) => state === "failed");
      const at = known?.at ?? (next === null ? null : await searchOn(api, entries.at(-1)?.at ?? next));
      if (at === null) return say("No further failed call");
      if (known === undefined) await goTo(at);
      else void setAt(at);
      setCurrent(at);
      say("");
    });
  }, [queued, api, goTo, list, setAt]);

  const fromStart = useCallback(() => {
    queued(async () => {
      await goTo(null);
      setCurrent(null);
      say("");
      window.scrollTo({ top: 0 });
    });
  }, [queued, goTo]);

  useEffect(() => {
    if (current === null) return;
    const element = list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(current)}"]`);
    if (element == null) return;
    element.focus({ preventScroll: true });
    return holdInView(element);
  }, [current, list]);

  return { ...stretch, busy, said, current, readOn, nextFailed, fromStart };
}

function joined(before: Stretch, page: TranscriptPage): Stretch {
  const all = [...before.entries, ...page.entries];
  const kept = all.slice(-ENTRIES_MAX);
  return {
    entries: kept,
    start: kept.length < all.length ? (kept[0]?.at ?? before.start) : before.start,
    next: page.next,
  };
}

/** Index of the entry a search starts after: the one it stopped at, else the last one above the screen. */
function positionOf(current: string | null, entries: readonly Entry[], list: HTMLElement | null): number {
  const stopped = entries.findIndex(({ at }) => at === current);
  if (stopped >= 0 || list === null) return stopped;
  const below = [...list.children].findIndex((child) => child.getBoundingClientRect().bottom > 88);
  return below - 1;
}

/** Frames in which an entry is brought back when its neighbours, drawn for the first time, push it away. */
const HOLD_FRAMES = 20;

/** Brings an entry to the middle of the screen and keeps it there until the page has settled; stops on a wheel or key. */
function holdInView(element: HTMLElement): () => void {
  let frames = HOLD_FRAMES;
  let frame = 0;
  const hold = () => {
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 88 || bottom > window.innerHeight) element.scrollIntoView({ block: "center" });
    if (--frames > 0) frame = requestAnimationFrame(hold);
  };
  const stop = () => {
    frames = 0;
    cancelAnimationFrame(frame);
  };
  element.scrollIntoView({ block: "center" });
  hold();
  for (const event of ["wheel", "touchmove", "keydown"])
    window.addEventListener(event, stop, { once: true, passive: true });
  return stop;
}

/** Asks until something is found or the file has ended; one answer looks at a bounded stretch. */
async function searchOn(
  api: <T>(what: string, params: Record<string, string | null>) => Promise<T>,
  after: string,
): Promise<string | null> {
  let found: FailedCall = { at: null, next: after };
  while (found.at === null && found.next !== null)
    found = await api<FailedCall>("failed", { after: found.next });
  return found.at;
}

async function getJson<T>(href: string): Promise<T> {
  const answer = await fetch(href, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`The transcript could not be read on (status ${answer.status}).`);
  return (await answer.json()) as T;
}
