"use client";

import { useState } from "react";
import { visible } from "#lib/format.ts";
import type { Entry } from "#lib/sources/entry.ts";
import { hrefTo } from "../href.ts";
import { grouped } from "../number.ts";
import type { TranscriptOrigin } from "./origin.ts";
import { folded, plainText } from "./plain-text.ts";

type LongTextProps = { entry: Entry; origin: TranscriptOrigin; mono: boolean };

/** A text, folded with its size where it is long; what the page was not sent is fetched when somebody opens it. */
export function LongText({ entry, origin, mono }: LongTextProps) {
  const [open, setOpen] = useState(false);
  const [rest, setRest] = useState<{ text: string; full_length: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const text = rest?.text ?? entry.text;
  const short = folded(text);
  const missing = entry.full_length > text.length;
  const shown = open || short === null ? text : short;

  async function unfold() {
    setOpen(true);
    if (!missing || rest !== null) return;
    setBusy(true);
    try {
      setRest(await fetchWhole(origin, entry.at));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {(shown !== "" || entry.tool !== null) && (
        <p
          className={`untrusted whitespace-pre-wrap break-words ${mono ? "font-mono text-xs leading-5" : "max-w-[80ch] text-base"}`}
        >
          {entry.tool !== null && <b className="mr-2 font-mono text-ink text-xs">{visible(entry.tool)}</b>}
          {plainText(shown)}
          {!open && (short !== null || missing) && <span className="text-muted">…</span>}
        </p>
      )}
      {(short !== null || missing) && (
        <button
          type="button"
          aria-expanded={open}
          aria-busy={busy}
          onClick={() => (open ? setOpen(false) : void unfold())}
          className="link mt-1 text-xs not-italic print:hidden"
        >
          {open ? "fold" : `show all ${grouped(entry.full_length)} characters`}
        </button>
      )}
      {open && busy && <span className="ml-2 text-muted text-xs">reading…</span>}
      {open && rest !== null && rest.full_length > rest.text.length && (
        <p className="text-attention text-xs">{`The first ${grouped(rest.text.length)} of ${grouped(rest.full_length)} characters; the rest is only in the file.`}</p>
      )}
      {problem !== null && <p role="alert" className="text-broken text-xs">{`✕ ${problem}`}</p>}
    </>
  );
}

async function fetchWhole(
  { path, params }: TranscriptOrigin,
  at: string,
): Promise<{ text: string; full_length: number }> {
  const answer = await fetch(hrefTo(`${path}/entry`, { ...params, at }));
  if (!answer.ok) throw new Error(`The whole text could not be read (status ${answer.status}).`);
  return (await answer.json()) as Entry;
}
