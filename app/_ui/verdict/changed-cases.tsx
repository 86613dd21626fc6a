import { visible } from "#lib/format.ts";
import type { ChangedCase, VerdictView } from "#lib/verdict/view.ts";
import { LEFT_OUT_WORDS } from "#lib/verdict/words.ts";
import { compareHref } from "../cards/hrefs.ts";
import { grouped } from "../number.ts";
import { Untrusted } from "../rate.tsx";

/** Entries of a list that are drawn; all of them stand in the document. */
const LISTED_MAX = 300;

const CHANGES = {
  regressed: { sign: "−", word: "REGRESSED", tone: "text-broken" },
  improved: { sign: "+", word: "IMPROVED", tone: "text-fine" },
} as const;

/** The cases that went the other way, the worse first, each with the way to its runs in both arms. */
export function ChangedCases({ view }: { view: VerdictView }) {
  if (view.changed.length === 0) return <p className="text-sm">No case changed.</p>;
  const cards = cardsOf(view);
  return (
    <div className="grid items-start gap-x-12 gap-y-6 md:grid-cols-2">
      {(["regressed", "improved"] as const).map((change) => (
        <ChangeList
          key={change}
          change={change}
          cases={view.changed.filter((one) => one.change === change)}
          cards={cards}
        />
      ))}
    </div>
  );
}

function ChangeList({
  change,
  cases,
  cards,
}: {
  change: ChangedCase["change"];
  cases: ChangedCase[];
  cards: string[] | null;
}) {
  const { sign, word, tone } = CHANGES[change];
  return (
    <div className="min-w-0">
      <h3 className={`mb-1 text-xs ${cases.length === 0 ? "text-muted" : tone}`}>
        <span aria-hidden="true">{sign} </span>
        {`${word} ${grouped(cases.length)}`}
      </h3>
      <ul className="text-sm">
        {cases.slice(0, LISTED_MAX).map(({ id, slice }) => (
          <li key={id} className="flex items-baseline gap-3 border-line border-b py-1">
            <CaseName id={id} cards={cards} />
            {slice !== null && <span className="ml-auto shrink-0 text-muted text-xs">{slice}</span>}
          </li>
        ))}
      </ul>
      <More n={cases.length - LISTED_MAX} />
    </div>
  );
}

/** A case's name, which leads to its runs in both arms where both came from cards. */
function CaseName({ id, cards }: { id: string; cards: string[] | null }) {
  const text = <Untrusted mono>{visible(id)}</Untrusted>;
  if (cards === null) return <span className="min-w-0 break-words">{text}</span>;
  return (
    <a
      href={compareHref(cards, { baseline: cards[0] ?? null, case: id })}
      title="Its runs in both arms"
      className="link min-w-0 break-words"
    >
      {text}
    </a>
  );
}

/** Cases that could not be paired: listed, never scored. */
export function LeftOutCases({ view }: { view: VerdictView }) {
  if (view.left_out === null) return <p className="text-sm">Unknown: the file does not tell.</p>;
  if (view.left_out.length === 0) return <p className="text-sm">None: every case ran in both arms.</p>;
  return (
    <>
      <ul className="text-sm md:columns-2 md:gap-12">
        {view.left_out.slice(0, LISTED_MAX).map(({ id, why }) => (
          <li key={id} className="flex break-inside-avoid items-baseline gap-3 border-line border-b py-1">
            <span className="min-w-0 break-words">
              <Untrusted mono>{visible(id)}</Untrusted>
            </span>
            <span className="ml-auto text-right text-muted text-xs">{LEFT_OUT_WORDS[why]}</span>
          </li>
        ))}
      </ul>
      <More n={view.left_out.length - LISTED_MAX} />
    </>
  );
}

function More({ n }: { n: number }) {
  return n > 0 ? (
    <p className="mt-1 text-muted text-xs">{`and ${grouped(n)} more, all of them in the document`}</p>
  ) : null;
}

/** The two cards of a verdict, baseline first; null where an arm was no card of a results folder. */
function cardsOf({ kind, arms: { baseline, candidate } }: VerdictView): string[] | null {
  if (kind !== "verdict" || baseline.name === candidate.name) return null;
  const names = [baseline.name, candidate.name].filter((name) => name !== null && isCardName(name));
  return names.length === 2 ? (names as string[]) : null;
}

function isCardName(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith("/") && !name.split(/[/\\]/).includes("..");
}
