import type { Metadata } from "next";
import { CardList } from "#app/_ui/cards/card-list.tsx";
import { listedFile } from "#app/_ui/cards/listed-file.ts";
import { Command } from "#app/_ui/command.tsx";
import { counted, grouped } from "#app/_ui/number.ts";
import { Empty, PageHead, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { Picker, TextFilter } from "#app/_ui/picker.tsx";
import { VerdictList } from "#app/_ui/verdict/verdict-list.tsx";
import { ZonePicker } from "#app/_ui/zone-picker.tsx";
import { attempt } from "#app/attempt.ts";
import { type CardsView, LIST_ROWS, loadCards } from "#app/card-loaders.ts";
import type { Params } from "#app/search.ts";
import { loadVerdictList, type VerdictList as Verdicts } from "#app/verdict-loaders.ts";
import { modelName, visible } from "#lib/format.ts";

export const metadata: Metadata = { title: "Scorecards" };

export default async function ScorecardsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadCards(params));
  if (!loaded.ok) return <Trouble title="Scorecards" problem={loaded.problem} />;
  const { view, problems, serverZone } = loaded.value;
  const verdicts = loadVerdictList(view.ask.older);
  return (
    <>
      <PageHead
        title="Scorecards"
        controls={<Controls models={view.models} serverZone={serverZone} />}
        facts={<Facts view={view} verdicts={verdicts} />}
      />
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {view.left_out.folders.length > 0 && view.of > 0 && <Folders view={view} />}
      {view.total === 0 ? (
        <NoFiles view={view} />
      ) : (
        <CardList files={view.files.map(listedFile)} zone={view.ask.zone} sort={view.ask.sort} />
      )}
      <Pages view={view} params={params} />
      <Section id="verdicts" title="Verdicts">
        <VerdictPart verdicts={verdicts} view={view} params={params} />
      </Section>
    </>
  );
}

function Controls({ models, serverZone }: { models: string[]; serverZone: string }) {
  return (
    <form method="get" aria-label="Filters" className="flex flex-wrap items-center gap-2 print:hidden">
      <TextFilter name="q" label="File or model" />
      <Picker
        name="model"
        label="Model"
        choices={[
          { value: "", name: "all models" },
          ...models.map((model) => ({ value: model, name: modelName(model) })),
        ]}
      />
      <ZonePicker server={serverZone} />
    </form>
  );
}

function Facts({ view, verdicts }: { view: CardsView; verdicts: Verdicts }) {
  const { left_out, of, total, cards, folders } = view;
  const parts = [
    total === of ? counted(of, "file") : `${grouped(total)} of ${counted(of, "file")}`,
    counted(cards, "scorecard"),
    ...(left_out.files_over_cap > 0
      ? [`${counted(left_out.files_over_cap, "older file")} beyond the cap`]
      : []),
    ...(left_out.folders_too_deep > 0 ? [`${counted(left_out.folders_too_deep, "folder")} too deep`] : []),
    ...(left_out.files_not_json > 0 ? [counted(left_out.files_not_json, "other file")] : []),
  ];
  return (
    <p role="status">
      {parts.join(" · ")}
      {verdicts.rows.length > 0 && (
        <>
          {" · "}
          <a href="#verdicts" className="link">
            {verdicts.next === null && view.ask.older === null
              ? counted(verdicts.rows.length, "verdict")
              : "verdicts"}
          </a>
        </>
      )}
      {" · "}
      <bdi className="font-mono">{folders.map(visible).join(" : ")}</bdi>
    </p>
  );
}

function Folders({ view }: { view: CardsView }) {
  return view.left_out.folders.map(({ folder, problem }) => (
    <Problem key={folder}>{`${visible(folder)}: ${visible(problem)}.`}</Problem>
  ));
}

function NoFiles({ view }: { view: CardsView }) {
  if (view.of > 0) {
    return (
      <Empty
        why={
          view.of === 1
            ? "The one file does not fit these filters."
            : `None of the ${grouped(view.of)} files fits these filters.`
        }
      >
        <a href="/scorecards" className="link">
          Show all files
        </a>
      </Empty>
    );
  }
  const missing = view.left_out.folders.map(
    ({ folder, problem }) => `${visible(folder)}: ${visible(problem)}`,
  );
  return (
    <Empty why="There are no scorecards yet.">
      <p className="mb-2">
        {missing.length > 0 ? `${missing.join("; ")}. ` : "The results folder holds no .json file. "}
        Reports stand in <code className="font-mono text-xs">results/</code>, or where{" "}
        <code className="font-mono text-xs">MECHA_RESULTS_DIR</code> says. A model is graded with:
      </p>
      <Command line="mecha eval -o results/NAME.json" />
      <p className="mt-3 mb-2">Another harness's trial rows become a card with:</p>
      <Command line="mecha eval import --format rows trials.jsonl -o results/trials.json" />
    </Empty>
  );
}

/** The way to the newer and the older files, with what is chosen kept. */
function Pages({ view: { ask, total, files }, params }: { view: CardsView; params: Params }) {
  if (total <= LIST_ROWS) return null;
  const to = (from: number) => `/scorecards?${withKey(params, "from", from === 0 ? null : String(from))}`;
  return (
    <nav aria-label="Pages of the list" className="mt-3 flex items-center gap-4 text-sm print:hidden">
      {ask.from > 0 && (
        <a href={to(Math.max(0, ask.from - LIST_ROWS))} className="link">
          newer
        </a>
      )}
      <span className="text-muted text-xs">{`${grouped(ask.from + 1)} to ${grouped(ask.from + files.length)} of ${grouped(total)}`}</span>
      {ask.from + LIST_ROWS < total && (
        <a href={to(ask.from + LIST_ROWS)} className="link">
          older
        </a>
      )}
    </nav>
  );
}

function VerdictPart({ verdicts, view, params }: { verdicts: Verdicts; view: CardsView; params: Params }) {
  if (verdicts.problem !== null) return <Problem>{visible(verdicts.problem)}.</Problem>;
  if (verdicts.rows.length === 0 && view.ask.older === null) {
    return (
      <Empty why="Nothing was judged yet.">
        <p className="mb-2">
          Two scorecards of the same cases, one with the change and one without, become a verdict with:
        </p>
        <Command line="mecha gate BASELINE.json CANDIDATE.json" />
      </Empty>
    );
  }
  return (
    <>
      <VerdictList rows={verdicts.rows} zone={view.ask.zone} />
      <p className="mt-2 flex gap-4 text-sm print:hidden">
        {view.ask.older !== null && (
          <a href={`/scorecards?${withKey(params, "older", null)}#verdicts`} className="link">
            newest
          </a>
        )}
        {verdicts.next !== null && (
          <a href={`/scorecards?${withKey(params, "older", verdicts.next)}#verdicts`} className="link">
            older
          </a>
        )}
      </p>
    </>
  );
}

/** The address with one key set or left out, all values of the others kept. */
function withKey(params: Params, key: string, value: string | null): string {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(params)) {
    if (name === key) continue;
    for (const one of Array.isArray(given) ? given : [given]) if (one) query.append(name, one);
  }
  if (value !== null) query.set(key, value);
  return query.toString();
}
