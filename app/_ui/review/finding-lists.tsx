import { visible } from "#lib/format.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import type { WeekFinding, WeekFindings } from "#lib/review/findings.ts";
import { FINDING_MAX, short } from "#lib/review/words.ts";
import { dateOnly } from "../dates.ts";
import { Dated } from "../time.tsx";
import { More, None } from "./more.tsx";

type Listed = WeekFinding & { resolved_at?: string | null };

/** What the doctor found at the end of the week against just before it began; `href`: all of it. */
export function FindingLists({
  findings,
  zone,
  href,
}: {
  findings: WeekFindings;
  zone: string;
  href: string;
}) {
  return (
    <div className="review-figures">
      <List title="New" found={findings.new} zone={zone} href={href} />
      <List title="Standing" found={findings.standing} zone={zone} href={href} />
      <List title="Resolved" found={findings.resolved} zone={zone} href={href} />
    </div>
  );
}

const LOOK = {
  broken: { glyph: "✕", tone: "text-broken" },
  attention: { glyph: "!", tone: "text-attention" },
} as const;

function List({
  title,
  found,
  zone,
  href,
}: {
  title: string;
  found: readonly Listed[];
  zone: string;
  href: string;
}) {
  const { shown, more } = firstOf(found, SHOWN.findings);
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="text-muted text-xs">{`${title} (${found.length})`}</h3>
      {shown.length === 0 && <None>None.</None>}
      <ul className="text-sm">
        {shown.map((finding) => (
          <li key={finding.id} className="py-0.5" title={visible(short(finding.detail, 300))}>
            <span aria-hidden="true" className={`mr-1.5 font-semibold ${LOOK[finding.severity].tone}`}>
              {LOOK[finding.severity].glyph}
            </span>
            <span className="sr-only">{`${finding.severity}: `}</span>
            <bdi>{visible(short(finding.summary, FINDING_MAX))}</bdi>{" "}
            <span className="text-muted text-xs">
              <Dated text={whenText(finding, zone)} />
            </span>
          </li>
        ))}
        <More more={more} href={href} />
      </ul>
    </section>
  );
}

function whenText({ since, or_earlier, resolved_at }: Listed, zone: string): string {
  const from = since === null ? null : `since ${dateOnly(since, zone)}${or_earlier ? " or earlier" : ""}`;
  const until = resolved_at == null ? null : `until ${dateOnly(resolved_at, zone)}`;
  return [from, until].filter((part) => part !== null).join(" ");
}
