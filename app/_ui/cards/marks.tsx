import { MARK_SIGNS, type Mark } from "#lib/eval/mark.ts";
import { type CaseChange, changeOf } from "#lib/eval/matrix.ts";
import { passesIn } from "./matrix-order.ts";

const MARK_OF: Record<string, Mark> = { p: "pass", f: "fail", e: "error", u: "ungraded" };

const TONE: Record<Mark, string> = {
  pass: "text-fine",
  fail: "text-broken font-bold",
  error: "text-attention font-bold",
  ungraded: "text-attention font-bold",
};

export const MARK_WORDS: Record<Mark, string> = {
  pass: "passed",
  fail: "failed",
  error: "ended in an error",
  ungraded: "could not be graded",
};

/** So many runs are drawn one by one; of more, each kind is counted. */
const STRIP_MAX = 12;

/** The runs of a case in one card as a strip of signs, told in words to who cannot see it. */
export function RunStrip({ cell }: { cell: string }) {
  if (cell === "") {
    return (
      <span title="not run in this card" className="text-muted">
        <span aria-hidden="true" className="font-bold font-mono text-base">
          ·
        </span>
        <span className="sr-only">not run</span>
      </span>
    );
  }
  const words = stripWords(cell);
  return (
    <span title={words} className="whitespace-nowrap font-mono text-base">
      <span aria-hidden="true">
        {cell.length > STRIP_MAX ? <Counted cell={cell} /> : <OneByOne cell={cell} />}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** `4 of 5 runs passed, 1 ended in an error`. */
export function stripWords(cell: string): string {
  const others = (["error", "ungraded"] as const).flatMap((mark) => {
    const n = countOf(cell, mark);
    return n === 0 ? [] : [`${n} ${MARK_WORDS[mark]}`];
  });
  const passed =
    cell.length === 1
      ? MARK_WORDS[MARK_OF[cell] ?? "fail"]
      : `${passesIn(cell)} of ${cell.length} runs passed`;
  return cell.length === 1 ? passed : [passed, ...others].join(", ");
}

function OneByOne({ cell }: { cell: string }) {
  return (cell.match(/(.)\1*/g) ?? []).map((same, at) => {
    const mark = MARK_OF[same.charAt(0)] ?? "fail";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a strip is its order
      <span key={at} className={TONE[mark]}>
        {MARK_SIGNS[mark].repeat(same.length)}
      </span>
    );
  });
}

function Counted({ cell }: { cell: string }) {
  return (Object.keys(MARK_SIGNS) as Mark[]).map((mark) => {
    const n = countOf(cell, mark);
    return n === 0 ? null : (
      <span key={mark} className={`mr-2 ${TONE[mark]}`}>{`${MARK_SIGNS[mark]}${n}`}</span>
    );
  });
}

function countOf(cell: string, mark: Mark): number {
  return [...cell].filter((letter) => MARK_OF[letter] === mark).length;
}

/** One run's sign, in its colour. */
export function MarkSign({ mark }: { mark: Mark }) {
  return (
    <span aria-hidden="true" className={`font-mono ${TONE[mark]}`}>
      {MARK_SIGNS[mark]}
    </span>
  );
}

const CHANGE_SAID: Partial<Record<CaseChange, { sign: string; tone: string; why: string }>> = {
  regressed: { sign: "▼", tone: "text-broken", why: "passed all runs in the baseline and does not here" },
  improved: { sign: "▲", tone: "text-fine", why: "passed all runs here and did not in the baseline" },
  unequal: {
    sign: "",
    tone: "text-muted",
    why: "it ran more often in one of the two, so they are not compared",
  },
};

/** What became of a case against the baseline; the same and the absent say nothing. */
export function ChangeTag({ baseline, cell }: { baseline: string; cell: string }) {
  const change = changeOf(baseline, cell);
  const said = CHANGE_SAID[change];
  if (said === undefined) return null;
  return (
    <span title={said.why} className={`whitespace-nowrap text-xs ${said.tone}`}>
      {said.sign !== "" && <span aria-hidden="true">{`${said.sign} `}</span>}
      {change === "unequal" ? "other k" : change}
    </span>
  );
}

/** The signs and what they mean. */
export function MarkLegend() {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {(Object.keys(MARK_SIGNS) as Mark[]).map((mark) => (
        <span key={mark}>
          <MarkSign mark={mark} /> {MARK_WORDS[mark]}
        </span>
      ))}
      <span>· not run in this card</span>
    </p>
  );
}
