import type { Metadata } from "next";
import { Empty, PageHead, Problem, Trouble } from "#app/_ui/page-head.tsx";
import { Untrusted } from "#app/_ui/rate.tsx";
import { Instant } from "#app/_ui/time.tsx";
import { attempt } from "#app/attempt.ts";
import type { Params } from "#app/search.ts";
import type { AuditRow } from "#lib/access/audit.io.ts";
import { visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import { type AuditPage, loadAudit } from "./load.ts";
import { ACTION_WORDS, subjectHref } from "./words.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPageView({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadAudit(params));
  if (!loaded.ok) return <Trouble title="Audit" problem={loaded.problem} />;
  const page = loaded.value;
  return (
    <>
      <PageHead
        title="Audit"
        facts={<p>{`Who changed something here, newest first · times in ${page.zone}`}</p>}
      />
      {page.problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {page.rows.length === 0 ? <Nothing page={page} /> : <Lines page={page} />}
      <Pages page={page} />
    </>
  );
}

function Nothing({ page: { later, signInNeeded } }: { page: AuditPage }) {
  if (later) return <Empty why="There is nothing older." />;
  return (
    <Empty why="Nothing has been changed here yet: no experiment was queued, no link made, nobody signed in.">
      {!signInNeeded && (
        <p>
          Only this machine reaches this dashboard, so lines will carry no name. Whoever opens it to others
          gives each a token: <code className="font-mono text-xs">mecha token add NAME</code>
        </p>
      )}
    </Empty>
  );
}

function Lines({ page: { rows, zone } }: { page: AuditPage }) {
  return (
    <table className="w-full text-sm">
      <thead className="hidden text-left text-muted text-xs sm:table-header-group">
        <tr className="border-line border-b">
          {["When", "Who", "What", "Subject", "Detail"].map((name) => (
            <th key={name} scope="col" className="py-1.5 pr-6 font-normal">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={row.id} row={row} zone={zone} />
        ))}
      </tbody>
    </table>
  );
}

/** On a phone one line of text that wraps, else a line of the table. */
function Line({ row, zone }: { row: AuditRow; zone: string }) {
  return (
    <tr className="flex flex-wrap gap-x-3 border-line border-b py-2 sm:table-row">
      <td className={`${CELL} text-muted`}>
        <Instant at={isoUtc(row.at)} zone={zone} />
      </td>
      <td className={`${CELL} sm:min-w-24`}>
        {row.who === null ? (
          <span className="whitespace-nowrap text-muted" title="No token: on the machine that runs mecha">
            this machine
          </span>
        ) : (
          <bdi className="font-mono text-xs">{visible(row.who)}</bdi>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap`}>{ACTION_WORDS[row.action]}</td>
      <td className={`${CELL} sm:min-w-28`}>
        <Subject row={row} />
      </td>
      <td className={`${CELL} sm:w-full`}>
        {row.detail !== null && <Untrusted>{visible(row.detail)}</Untrusted>}
      </td>
    </tr>
  );
}

const CELL = "empty:hidden align-top sm:py-1.5 sm:pr-6 sm:empty:table-cell";
/** Ids are hashes and UUIDs: their start tells them apart, the rest is on hover. */
const ID_SHOWN = 12;

function Subject({ row }: { row: AuditRow }) {
  // Said already by who it was.
  if (row.action === "sign_in") return null;
  const href = subjectHref(row);
  const text = visible(row.subject);
  if (href === null) return <bdi className="font-mono text-xs">{text}</bdi>;
  return (
    <a href={href} title={text} className="link font-mono text-xs">
      <bdi>{text.slice(0, ID_SHOWN)}</bdi>
    </a>
  );
}

function Pages({ page: { later, next, zoneAsked } }: { page: AuditPage }) {
  if (!later && next === null) return null;
  const href = (before: number | null) => {
    const query = new URLSearchParams();
    if (before !== null) query.set("before", String(before));
    if (zoneAsked !== null) query.set("zone", zoneAsked);
    return query.size === 0 ? "/audit" : `/audit?${query}`;
  };
  return (
    <nav aria-label="Pages of the audit" className="mt-4 flex gap-4 text-sm">
      {later && (
        <a href={href(null)} className="link">
          Newest
        </a>
      )}
      {next !== null && (
        <a href={href(next)} className="link">
          Older
        </a>
      )}
    </nav>
  );
}
