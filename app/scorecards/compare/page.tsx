import type { Metadata } from "next";
import { ColumnLinks } from "#app/_ui/cards/column-links.tsx";
import { HeadTable } from "#app/_ui/cards/head-table.tsx";
import { compareQuery } from "#app/_ui/cards/hrefs.ts";
import { MadeWith } from "#app/_ui/cards/made-with.tsx";
import { CaseMatrix } from "#app/_ui/cards/matrix.tsx";
import { rowsInOrder } from "#app/_ui/cards/matrix-order.ts";
import { Series } from "#app/_ui/cards/series.tsx";
import { TagTable } from "#app/_ui/cards/tag-table.tsx";
import type { FirstRows } from "#app/_ui/cards/use-matrix.ts";
import { counted } from "#app/_ui/number.ts";
import { Empty, PageHead, PagePath, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { attempt } from "#app/attempt.ts";
import { type Comparison, loadComparison } from "#app/card-loaders.ts";
import { parseCompareAsk } from "#app/cards-ask.ts";
import type { CompareView } from "#app/cards-view.ts";
import type { Params } from "#app/search.ts";
import { packMatrix } from "#lib/eval/matrix-pack.ts";
import { visible } from "#lib/format.ts";

type Props = { searchParams: Promise<Params> };

/** Characters of a matrix that come with the page; of a larger one the first rows do, and the page fetches the rest. */
const PACKED_MAX = 240_000;
const FIRST_ROWS = 400;

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { ask } = parseCompareAsk(await searchParams, "UTC");
  const names = ask.cards.map((name) => visible(name.slice(name.lastIndexOf("/") + 1)));
  return { title: names.join(" · ").slice(0, 120) || "Compare scorecards" };
}

export default async function ComparePage({ searchParams }: Props) {
  const params = await searchParams;
  const loaded = await attempt(() => loadComparison(params));
  if (!loaded.ok) return <Trouble title="Compare scorecards" problem={loaded.problem} />;
  const comparison = loaded.value;
  const { view, problems } = comparison;
  return (
    <>
      <PagePath href={listHref(view)} name="Scorecards" />
      <PageHead title={titleOf(view)} facts={view === null ? null : <Facts view={view} />} />
      {problems.map((problem) => (
        <Problem key={problem}>{visible(problem)}</Problem>
      ))}
      {view === null ? <Nothing /> : <Cards comparison={comparison} view={view} zoneAsked={zoneIn(params)} />}
    </>
  );
}

function titleOf(view: CompareView | null): string {
  const n = view?.columns.length ?? 0;
  if (n === 0) return "Compare scorecards";
  return n === 1 ? "Scorecard" : `${n} scorecards side by side`;
}

function Facts({ view: { columns, matrix, ranked } }: { view: CompareView }) {
  const apart = columns.filter((one, at) => at > 0 && one.apart).length;
  const parts = [
    counted(matrix.rows.length, "case"),
    ...(columns.length === 1 ? [] : [`the baseline is A`]),
    ...(apart === 0 ? [] : [`${apart} not comparable with it`]),
    ...(columns.length > 1 && ranked.length === 0
      ? ["nothing is ranked: the baseline itself is in doubt"]
      : []),
  ];
  return <p>{parts.join(" · ")}</p>;
}

function Cards({
  comparison,
  view,
  zoneAsked,
}: {
  comparison: Comparison;
  view: CompareView;
  zoneAsked: string | null;
}) {
  const { columns, ranked, tags, series } = view;
  const names = columns.map(({ name }) => name);
  return (
    <>
      <HeadTable
        columns={columns}
        zone={comparison.ask.zone}
        linksOf={(at) => <ColumnLinks names={names} at={at} zone={zoneAsked} />}
      />
      <MadeWith columns={columns} />
      {series.length > 0 && (
        <Section title="Repeats over several cards">
          {series.map((one) => (
            <Series key={one.letters.join()} series={one} />
          ))}
        </Section>
      )}
      {tags.length > 0 && (
        <Section title="By tag">
          <TagTable columns={columns} tags={tags} />
        </Section>
      )}
      <Section id="cases" title="Cases">
        <CaseMatrix
          key={names.join("\0")}
          first={firstRows(comparison, view)}
          columns={columns.map(({ name, apart }) => ({ name, apart }))}
          ranked={ranked}
          query={compareQuery(names, { baseline: names[0] ?? null })}
          zone={zoneAsked}
        />
      </Section>
    </>
  );
}

/** All rows where they are few enough to be sent; else those that the address shows first. */
function firstRows({ ask }: Comparison, { matrix, ranked }: CompareView): FirstRows {
  const packed = packMatrix(matrix);
  const total = matrix.rows.length;
  if (JSON.stringify(packed).length <= PACKED_MAX) return { packed, total };
  const rows = rowsInOrder(matrix, ranked, ask).slice(0, FIRST_ROWS);
  return { packed: packMatrix({ ...matrix, rows }), total };
}

/** The list with the same cards chosen, so that one more can be added. */
function listHref(view: CompareView | null): string {
  if (view === null) return "/scorecards";
  return `/scorecards?${new URLSearchParams(view.columns.map(({ name }) => ["cards", name]))}`;
}

function Nothing() {
  return (
    <Empty why="No card was chosen.">
      <a href="/scorecards" className="link">
        Choose up to five
      </a>
    </Empty>
  );
}

function zoneIn({ zone }: Params): string | null {
  return typeof zone === "string" ? zone : null;
}
