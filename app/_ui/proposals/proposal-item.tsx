import type { ReactNode } from "react";
import type { ProposalRow } from "#app/proposal-loaders.ts";
import type { Diagnosis, Proposal } from "#lib/diagnose/proposal.ts";
import { personLine } from "#lib/diagnose/proposal-text.ts";
import { modelName, visible } from "#lib/format.ts";
import { Command } from "../command.tsx";
import { hrefTo } from "../href.ts";
import { Instant } from "../time.tsx";
import { Became } from "./became.tsx";
import { DiagnosisFacts } from "./diagnosis-facts.tsx";
import { Folded } from "./folded.tsx";

const LOOK: Record<Diagnosis["reading"]["kind"], { glyph: string; word: string; tone: string }> = {
  proposal: { glyph: "◆", word: "proposal", tone: "text-ink" },
  declined: { glyph: "○", word: "declined", tone: "text-muted" },
  refused: { glyph: "✕", word: "refused", tone: "text-broken" },
  unparsable: { glyph: "?", word: "not understood", tone: "text-attention" },
  failed: { glyph: "!", word: "failed", tone: "text-attention" },
};

/** One entry of the book: the claim, what it predicts, what it rests on, and what became of it. */
export function ProposalItem({ row, index, zone }: { row: ProposalRow; index: number; zone: string }) {
  const { diagnosis, fate } = row;
  const { glyph, word, tone } = LOOK[diagnosis.reading.kind];
  return (
    <li
      data-index={index}
      id={diagnosis.id}
      className="grid gap-x-8 gap-y-3 border-line border-b py-5 target:bg-accent-wash lg:grid-cols-[8.5rem_minmax(0,1fr)_19rem]"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 lg:block">
        <p className={`font-semibold text-sm ${tone}`}>
          <span aria-hidden="true">{glyph} </span>
          {word}
        </p>
        <p className="text-muted text-xs leading-5">
          <a href={hrefTo("/proposals", { proposal: diagnosis.id })} className="hover:underline">
            <Instant at={diagnosis.created_at} zone={zone} />
          </a>
        </p>
        {diagnosis.scripted && <ScriptedTag />}
      </div>
      <div className="min-w-0">
        <Claim row={row} />
        <div className="mt-3 flex flex-col gap-1">
          <Folded name="what the model was told" text={diagnosis.brief} />
          <Folded name="its whole answer" text={diagnosis.reply} />
        </div>
      </div>
      <div className="min-w-0 text-sm">
        <Became fate={fate} proposalId={diagnosis.id} measurable={row.command !== null} />
        <DiagnosisFacts diagnosis={diagnosis} />
      </div>
    </li>
  );
}

function ScriptedTag() {
  return (
    <span
      title="Played by a script: no model looked at anything, and nobody's opinion is in it"
      className="inline-block rounded border border-attention/40 bg-attention-wash px-1 text-attention text-xs leading-4"
    >
      scripted
    </span>
  );
}

function Claim({ row: { diagnosis, command } }: { row: ProposalRow }): ReactNode {
  const { reading, subject } = diagnosis;
  const about = `runs of ${visible(modelName(subject))}`;
  switch (reading.kind) {
    case "proposal":
      return (
        <>
          <Said proposal={reading.proposal} />
          <ToMeasure proposal={reading.proposal} words={reading.command} line={command} />
        </>
      );
    case "refused":
      return (
        <>
          <h2 className="text-sm">{`Not to be acted on. ${sentence(reading.reason)}`}</h2>
          <div className="mt-2 border-line border-l-2 pl-3 opacity-90">
            <Said proposal={reading.proposal} quiet />
          </div>
        </>
      );
    case "declined":
      return <Why title={`Nothing to change for the ${about}`} reason={reading.reason} />;
    case "unparsable":
      return <Why title="The answer is no proposal" reason={reading.reason} />;
    case "failed":
      return <Why title="There is no answer" reason={reading.reason} />;
    default:
      return reading satisfies never;
  }
}

function Why({ title, reason }: { title: string; reason: string }) {
  return (
    <>
      <h2 className="text-sm">{title}</h2>
      <p className="mt-1 max-w-[72ch] whitespace-pre-line text-sm">
        <bdi>{lines(reason)}</bdi>
      </p>
    </>
  );
}

/** The change, what it predicts, and why; all of it is the model's own text. */
function Said({ proposal, quiet = false }: { proposal: Proposal; quiet?: boolean }) {
  const { change, class: kind, metric, rationale } = proposal;
  const Heading = quiet ? "p" : "h2";
  return (
    <>
      <Heading className={`${quiet ? "text-sm" : "text-base"}`}>
        <bdi className="whitespace-pre-line font-mono">{lines(change)}</bdi>
      </Heading>
      <p className="mt-1 text-sm">
        <span className="text-muted">{`${kind} change, predicted: `}</span>
        {"lower "}
        <span className="font-mono text-xs">{metric}</span>
      </p>
      <p className="mt-1 max-w-[72ch] whitespace-pre-line text-sm">
        <span className="text-muted">because </span>
        <bdi>{lines(rationale)}</bdi>
      </p>
    </>
  );
}

function ToMeasure({
  proposal,
  words,
  line,
}: {
  proposal: Proposal;
  words: string[] | null;
  line: string | null;
}) {
  if (line !== null) {
    return (
      <div className="mt-3">
        <Command line={line} />
      </div>
    );
  }
  const why =
    words === null
      ? `Nothing to do here: ${personLine(proposal)}.`
      : "Its command holds characters that no shell should be given, so it is not shown.";
  return (
    <p className="mt-3 text-sm">
      <span aria-hidden="true" className="text-muted">
        ○{" "}
      </span>
      {why}
    </p>
  );
}

/** Text in lines, each with what cannot be seen made visible. */
function lines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

function sentence(reason: string): string {
  const said = visible(reason);
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
}
