import { kindWords } from "#lib/eval/classify.ts";
import { coverageWords } from "#lib/eval/scorecard-text.ts";
import { bytes, count, duration, fixed, modelName, visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import { dateTime } from "../dates.ts";
import { grouped } from "../number.ts";
import { Unknown, Untrusted } from "../rate.tsx";
import { CardRate } from "./card-rate.tsx";
import { compareHref, verdictHref } from "./hrefs.ts";
import type { ListedFile } from "./listed-file.ts";

/** The columns of the list where there is room for them. */
export const LIST_COLUMNS =
  "lg:grid lg:grid-cols-[1.25rem_8.5rem_minmax(8rem,1.4fr)_minmax(6rem,1fr)_10.5rem_2rem_8.5rem_3.5rem_4.5rem] lg:gap-x-3";

type RowProps = {
  file: ListedFile;
  zone: string;
  chosen: boolean;
  /** Five are chosen already. */
  full: boolean;
  choose: (chosen: boolean) => void;
};

/** One file of a results folder: a card with its headline, or what it is instead. */
export function FileRow({ file, zone, chosen, full, choose }: RowProps) {
  const { card } = file;
  return (
    <div className={`flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1.5 text-sm ${LIST_COLUMNS}`}>
      <span className="w-4 shrink-0 self-center">
        {card !== null && (
          <input
            type="checkbox"
            name="cards"
            value={file.name}
            checked={chosen}
            disabled={full && !chosen}
            title={full && !chosen ? "five cards are chosen already" : undefined}
            onChange={(event) => choose(event.target.checked)}
            aria-label={`Choose ${visible(file.name)}`}
            className="block size-4 accent-accent"
          />
        )}
      </span>
      <span className="order-3 text-muted text-xs lg:order-none lg:text-sm">
        <When file={file} zone={zone} />
      </span>
      <span className="order-2 w-[calc(100%-2.5rem)] min-w-0 break-words lg:order-none lg:w-auto">
        <Name file={file} />
      </span>
      {card === null ? (
        <NoCard file={file} />
      ) : (
        <>
          <span
            className="order-4 min-w-0 truncate text-xs lg:order-none"
            title={`${visible(card.model)} (${visible(card.provider)})`}
          >
            <Untrusted mono>{modelName(card.model)}</Untrusted>
          </span>
          <Figures card={card} />
        </>
      )}
    </div>
  );
}

/** When it was made: the card's own time, else the file's. */
function When({ file: { made, modified_ms }, zone }: { file: ListedFile; zone: string }) {
  if (made !== null) {
    return (
      <time dateTime={made} title={`${visible(made)} (${zone})`} className="whitespace-nowrap">
        {dateTime(made, zone)}
      </time>
    );
  }
  const at = isoUtc(modified_ms);
  return (
    <time
      dateTime={at}
      title={`The time of the file; it records none itself. ${at} (${zone})`}
      className="whitespace-nowrap text-muted italic"
    >
      {dateTime(modified_ms, zone)}
    </time>
  );
}

function Name({ file: { name, kind, card, doubts } }: { file: ListedFile }) {
  const opens = kind === "verdict" || kind === "ab_config" || kind === "ab_rules";
  const text = <Untrusted mono>{visible(name)}</Untrusted>;
  const href = card !== null ? compareHref([name]) : opens ? verdictHref(name) : null;
  return (
    <>
      {href === null ? (
        <span className="text-muted">{text}</span>
      ) : (
        <a href={href} className="link">
          {text}
        </a>
      )}
      {doubts.length > 0 && (
        <details className="text-attention text-xs">
          <summary>{`! in doubt: ${doubts.length === 1 ? visible(doubts[0] ?? "") : `${doubts.length} things do not agree`}`}</summary>
          {doubts.length > 1 && (
            <ul className="list-disc pl-4">
              {doubts.map((line) => (
                <li key={line} className="break-words">
                  {visible(line)}
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
    </>
  );
}

function NoCard({ file: { kind, problem, bytes: size } }: { file: ListedFile }) {
  return (
    <span className="order-4 min-w-0 break-words text-muted text-xs lg:order-none lg:col-span-6">
      {`${kindWords(kind)} · ${bytes(size)}`}
      {problem !== null && <bdi className="block text-attention">{`! ${visible(problem)}`}</bdi>}
    </span>
  );
}

function Figures({ card }: { card: NonNullable<ListedFile["card"]> }) {
  const { passed, total, passed_any, runs_per_case, coverage, mean_turns, median_latency_ms, partial } = card;
  return (
    <>
      <span className="order-5 lg:order-none">
        <CardRate rate={{ hits: passed, of: total }} />
      </span>
      <span
        className="order-6 text-muted text-xs lg:order-none lg:text-right"
        title={
          runs_per_case === 1
            ? "each case ran once"
            : `each case ran ${runs_per_case} times; ${count(passed_any)} passed in any run`
        }
      >
        {`×${runs_per_case}`}
      </span>
      <span className="order-7 whitespace-nowrap text-muted text-xs lg:order-none lg:text-right">
        {coverage === null ? (
          <Unknown why="the file is large: open the card to read its cases" />
        ) : (
          <span
            title={coverageWords(coverage)}
            className={coverage.errored + coverage.not_scored > 0 ? "text-attention" : ""}
          >
            {`${grouped(coverage.scored)} · ${grouped(coverage.errored)} · ${grouped(coverage.total)}`}
            <span className="lg:sr-only"> runs scored, errored, in all</span>
          </span>
        )}
        {partial && <span className="block text-attention">! broken off</span>}
      </span>
      <span className="hidden lg:block lg:text-right">
        {mean_turns === null ? <Unknown why="this card does not tell" /> : fixed(mean_turns, 1)}
      </span>
      <span className="hidden whitespace-nowrap lg:block lg:text-right">
        {median_latency_ms === null ? <Unknown why="this card does not tell" /> : duration(median_latency_ms)}
      </span>
    </>
  );
}
