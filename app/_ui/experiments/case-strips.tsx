import { visible } from "#lib/format.ts";
import type { CaseMarks, RunMark } from "#lib/queue/case-marks.io.ts";
import { clipped } from "#lib/utf8.ts";
import { ARM_NAMES } from "#lib/verdict/words.ts";
import { counted } from "../number.ts";

type Marks = Record<RunMark, { sign: string; word: string; tone: string }>;

const OPEN: Marks = {
  passed: { sign: "✓", word: "passed", tone: "text-fine" },
  failed: { sign: "✗", word: "failed", tone: "font-bold text-broken" },
  errored: { sign: "!", word: "ended in an error", tone: "font-bold text-attention" },
  running: { sign: "▸", word: "at work", tone: "text-accent" },
  waiting: { sign: "·", word: "waiting", tone: "text-muted" },
};

/** Of what has ended nothing waits any more. */
const ENDED: Marks = { ...OPEN, waiting: { ...OPEN.waiting, word: "not run" } };

/** More runs of a case than this are counted and not drawn. */
const STRIP_MAX = 12;

/** Each case with its runs in both arms; `open` while the experiment waits or runs. */
export function CaseStrips({
  marks: { cases, of },
  open,
}: {
  marks: { cases: CaseMarks[]; of: number };
  open: boolean;
}) {
  if (cases.length === 0) return null;
  return (
    <>
      <table className="w-full table-fixed text-sm">
        <colgroup>
          <col />
          <col className="w-24 sm:w-44" />
          <col className="w-24 sm:w-44" />
        </colgroup>
        <thead className="text-left text-muted text-xs">
          <tr className="border-strong border-b">
            {["Case", ARM_NAMES.baseline, ARM_NAMES.candidate].map((name) => (
              <th key={name} scope="col" className="py-1 pr-3 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cases.map(({ caseId, a, b }) => (
            <tr key={caseId} className="border-line border-b align-baseline">
              <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                <bdi>{visible(clipped(caseId, NAME_MAX))}</bdi>
              </th>
              <td className="py-0.5 pr-3">
                <Strip runs={a} open={open} />
              </td>
              <td className="py-0.5">
                <Strip runs={b} open={open} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {of > cases.length && (
        <p className="mt-2 text-muted text-xs">{`and ${counted(of - cases.length, "more case")}, counted above`}</p>
      )}
      <Legend open={open} />
    </>
  );
}

function Strip({ runs: all, open }: { runs: RunMark[]; open: boolean }) {
  const looks = open ? OPEN : ENDED;
  // Nor is anything at work: what was when it ended came to no result.
  const runs = open ? all : all.map((mark) => (mark === "running" ? "waiting" : mark));
  const counts = (Object.keys(looks) as RunMark[])
    .map((mark) => ({ mark, n: runs.filter((run) => run === mark).length }))
    .filter(({ n }) => n > 0);
  const words = counts
    .map(({ mark, n }) => (runs.length === 1 ? looks[mark].word : `${n} ${looks[mark].word}`))
    .join(", ");
  const signs =
    runs.length > STRIP_MAX
      ? counts.map(({ mark, n }) => ({ mark, text: `${looks[mark].sign}${n} ` }))
      : runs.map((mark) => ({ mark, text: looks[mark].sign }));
  return (
    <span title={words} className="font-mono text-base">
      <span aria-hidden="true">
        {signs.map(({ mark, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strip is its order
          <span key={at} className={looks[mark].tone}>
            {text}
          </span>
        ))}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

function Legend({ open }: { open: boolean }) {
  const looks = open ? OPEN : ENDED;
  const marks = (Object.keys(looks) as RunMark[]).filter((mark) => open || mark !== "running");
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {marks.map((mark) => (
        <span key={mark}>
          <span aria-hidden="true" className={`font-mono ${looks[mark].tone}`}>
            {looks[mark].sign}
          </span>{" "}
          {looks[mark].word}
        </span>
      ))}
    </p>
  );
}

const NAME_MAX = 300;
