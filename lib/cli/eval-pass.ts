import { existsSync } from "node:fs";
import path from "node:path";
import { UserError } from "#lib/errors.ts";
import { type JournalFile, resumeJournal, startJournal } from "#lib/eval/journal.io.ts";
import type { JournalEntry, JournalHead } from "#lib/eval/journal.ts";
import type { Prepared } from "#lib/eval/prepare.io.ts";
import { type PassResult, runPass } from "#lib/eval/run-pass.io.ts";
import { prepareStaging, type Staging } from "#lib/eval/workspace.io.ts";
import { visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import { predictionOf } from "./eval-ab.ts";
import { type EvalProgress, evalProgress } from "./eval-progress.ts";
import type { EvalFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import type { OutFile } from "./out-file.ts";

/** A pass that ended or was broken off. The journal is closed, and still there. */
export type Pass = { result: PassResult; head: JournalHead; journal: JournalFile | null };

/** The pass itself, with its journal beside the report. Ctrl-C once finishes what is in flight; twice stops. */
export async function runAll(
  io: CliIo,
  prepared: Prepared,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<Pass> {
  const { setup, items } = prepared;
  const staging = await stagingFor(prepared);
  const progress = evalProgress(io);
  const hooks = interrupts(io, progress);
  let journal: JournalFile | null = null;
  try {
    const started = await journalOf(io, prepared, flags, out);
    journal = started.journal;
    progress.begin(setup, items.length * setup.arms.length, started.finished);
    const result = await runPass(setup, items, { staging, judge: prepared.judge }, started.finished, {
      finish: AbortSignal.any([hooks.finish, io.signal]),
      stop: hooks.stop,
      onStart: progress.started,
      onDone: (entry) => {
        journal?.add(relative(entry, out));
        progress.done(entry);
      },
    });
    return { result, head: started.head, journal };
  } catch (error) {
    if (journal !== null && existsSync(journal.file)) progress.said(wayOn(journal.file));
    throw error;
  } finally {
    hooks.release();
    progress.end();
    await journal?.close();
    if (staging !== null && setup.keepWorkspaces)
      io.err(`mecha: the workspaces are in ${visible(staging.root)}\n`);
    else await staging?.clear();
  }
}

/** What to do about a journal that was not finished. */
export function wayOn(file: string): string {
  return `what is finished is kept; go on with the same command and --resume ${visible(file)}`;
}

function interrupts(io: CliIo, { said }: EvalProgress) {
  const finish = new AbortController();
  const stop = new AbortController();
  let release = io.onInterrupt(() => {
    // Before anything is said: whoever reads it may press again at once.
    release = io.onInterrupt(() => {
      stop.abort();
      said("stopped; what was in flight is not counted");
    });
    finish.abort();
    said("finishing what is in flight; Ctrl-C again stops at once");
  });
  return { finish: finish.signal, stop: stop.signal, release: () => release() };
}

/** Transcripts are named as seen from the report, so that both can be moved together. */
function relative(entry: JournalEntry, out: OutFile | null): JournalEntry {
  const { transcript } = entry.result;
  if (transcript !== null && out !== null && path.isAbsolute(transcript))
    entry.result.transcript = path.relative(path.dirname(out.place), transcript);
  return entry;
}

async function stagingFor({ setup, items }: Prepared): Promise<Staging | null> {
  return items.some((item) => item.case.sandbox) ? prepareStaging(setup.fixture, setup.keepWorkspaces) : null;
}

async function journalOf(
  io: CliIo,
  prepared: Prepared,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<{ head: JournalHead; finished: JournalEntry[]; journal: JournalFile | null }> {
  if (flags.resume !== undefined) {
    const { journal, file } = await resumeJournal(path.resolve(io.cwd, flags.resume));
    if (journal.head.plan_sha256 !== prepared.plan_sha256) {
      await file.close();
      throw new UserError(
        "bad_input",
        `${visible(flags.resume)}: ${differs(journal.head.plan, prepared.plan)}`,
      );
    }
    io.err(`mecha: ${journal.entries.length} finished run(s) are taken over\n`);
    return { head: journal.head, finished: journal.entries, journal: file };
  }
  const head: JournalHead = {
    journal: "mecha.eval/1",
    started_at: isoUtc(Date.now()),
    plan_sha256: prepared.plan_sha256,
    plan: prepared.plan,
    prediction: await predictionOf(io, flags),
  };
  const journal = out === null ? null : await startJournal(`${out.place}.journal.jsonl`, head);
  return { head, finished: [], journal };
}

function differs(before: Record<string, unknown>, now: Record<string, unknown>): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
  return `it was started otherwise (${changed.join(", ")}), and two measurements make no report`;
}
