import type { Metadata } from "next";
import { compareHref } from "#app/_ui/cards/hrefs.ts";
import { MARK_WORDS, MarkSign } from "#app/_ui/cards/marks.tsx";
import { PageHead, PagePath, Trouble } from "#app/_ui/page-head.tsx";
import { Untrusted } from "#app/_ui/rate.tsx";
import { Transcript } from "#app/_ui/transcript/transcript.tsx";
import { attempt } from "#app/attempt.ts";
import { loadRunTranscript, type RunTranscript } from "#app/run-transcript-loader.ts";
import type { Params } from "#app/search.ts";
import { bytes, modelName, visible } from "#lib/format.ts";

type Props = { searchParams: Promise<Params> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const query = await searchParams;
  const loaded = await attempt(() => loadRunTranscript(query));
  return { title: loaded.ok ? `${visible(loaded.value.id)}, run ${loaded.value.run}` : "Transcript" };
}

/** What a run of a case said and did: the reason for a failed check stands there. */
export default async function RunTranscriptPage({ searchParams }: Props) {
  const query = await searchParams;
  const loaded = await attempt(() => loadRunTranscript(query));
  if (!loaded.ok) return <Trouble title="Transcript" problem={loaded.problem} />;
  const view = loaded.value;
  const { card, id, run } = view;
  return (
    <>
      <PagePath href="/scorecards" name="Scorecards">
        <a href={compareHref([card], { case: id })} className="link">
          <Untrusted mono>{visible(card)}</Untrusted>
        </a>
        {" /"}
      </PagePath>
      <PageHead title={<Untrusted>{visible(id)}</Untrusted>} facts={<Facts view={view} />} />
      <Transcript
        key={`${card}\0${id}\0${run}`}
        origin={{ path: "/api/scorecards/transcript", params: { card, case: id, run: String(run) } }}
        zone={view.zone}
        first={view.first}
        startsAt={view.startsAt}
        pointedAt={view.at}
      />
    </>
  );
}

function Facts({ view: { run, mark, failed, model, bytes: size } }: { view: RunTranscript }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="whitespace-nowrap">
        <MarkSign mark={mark} /> {`Run ${run} ${MARK_WORDS[mark]}`}
      </span>
      {failed.length > 0 && <bdi className="break-words">{visible(failed.join(", ").slice(0, 500))}</bdi>}
      <Untrusted mono>{modelName(model)}</Untrusted>
      <span>{bytes(size)}</span>
    </div>
  );
}
