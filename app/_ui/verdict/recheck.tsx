import { shellLine } from "#lib/shell-quote.ts";
import type { VerdictView } from "#lib/verdict/view.ts";
import { fileNameOf, recheckCommand } from "#lib/verdict/words.ts";
import { verdictHref } from "../cards/hrefs.ts";
import { Command } from "../command.tsx";
import { Section } from "../page-head.tsx";

/** The exact command that checks a verdict. `place`: its file; null for a stored one, whose document has to be saved first. */
export function Recheck({ view, place }: { view: VerdictView; place: string | null }) {
  const command = place === null ? recheckCommand(view) : ["mecha", "verdict", "verify", place];
  // The flips of a rules A/B were never judged: there is nothing to work out again.
  if (command === null || view.kind === "ab_rules") return null;
  return (
    <Section title="Check it again">
      {place === null && (
        <p className="mb-2 text-sm print:hidden">
          <a
            href={`${verdictHref(view.id ?? "")}/document`}
            download={fileNameOf(view) ?? undefined}
            className="link"
          >
            Save the document
          </a>
          {", then work out its hash and every number in it:"}
        </p>
      )}
      <Command line={shellLine(command)} />
      {place === null && (
        <p className="mt-3 text-sm print:hidden">
          Or take it along as{" "}
          <a href={`${verdictHref(view.id ?? "")}/html`} download className="link">
            one page that needs nothing else
          </a>
          .
        </p>
      )}
      {view.id !== null && (
        <p className="mt-3 break-all text-muted text-xs">
          {"id "}
          <span className="font-mono">{view.id}</span>
        </p>
      )}
    </Section>
  );
}
