import type { TriggerStatus } from "#lib/doctor/finding.ts";
import { visible } from "#lib/format.ts";
import { Ago } from "../time.tsx";
import { MarkLegend, TriggerMarks } from "./trigger-marks.tsx";

/** The triggers, one row each, with how their last runs went. */
export function TriggerTable({
  triggers,
  now,
  zone,
}: {
  triggers: TriggerStatus[];
  now: number;
  zone: string;
}) {
  return (
    <>
      <table className="block w-full text-sm md:table">
        <thead className="hidden text-left text-muted text-xs md:table-header-group">
          <tr className="border-strong border-b">
            <th scope="col" className="py-2 pr-4 font-normal">
              Trigger
            </th>
            <th scope="col" className="py-2 pr-4 font-normal">
              Schedule
            </th>
            <th scope="col" className="py-2 pr-4 font-normal">
              Last five runs
            </th>
            <th scope="col" className="py-2 pr-4 font-normal">
              Next
            </th>
            <th scope="col" className="py-2 font-normal">
              Findings
            </th>
          </tr>
        </thead>
        <tbody className="block md:table-row-group">
          {triggers.map((trigger) => (
            <Row key={trigger.name} trigger={trigger} now={now} zone={zone} />
          ))}
        </tbody>
      </table>
      <div className="mt-2">
        <MarkLegend />
      </div>
    </>
  );
}

function Row({ trigger, now, zone }: { trigger: TriggerStatus; now: number; zone: string }) {
  const { name, enabled, schedule, timezone, description, next_at, marks, finding_ids } = trigger;
  return (
    <tr
      id={`trigger-${name}`}
      className="block border-line border-b py-2 align-middle target:bg-accent-wash md:table-row"
    >
      <th scope="row" className="block py-1 pr-4 text-left font-normal md:table-cell">
        <span className="font-mono text-xs">{name}</span>
        {description !== null && <bdi className="block text-muted text-xs">{visible(description)}</bdi>}
      </th>
      <td className="inline-block py-1 pr-4 md:table-cell">
        <code className="font-mono text-xs">{visible(schedule)}</code>{" "}
        <span className="text-muted text-xs">{timezone ?? ""}</span>
      </td>
      <td className="block py-1 pr-4 md:table-cell">
        <TriggerMarks marks={marks} zone={zone} />
      </td>
      <td className="inline-block py-1 pr-4 text-muted text-xs md:table-cell">
        <span className="md:hidden">next: </span>
        {!enabled ? "switched off" : next_at === null ? "never" : <Ago at={next_at} now={now} zone={zone} />}
      </td>
      <td className="inline-block py-1 text-xs md:table-cell">
        <span className="text-muted md:hidden">findings: </span>
        {finding_ids.length > 0 ? (
          <span className="text-attention">{`! ${finding_ids.length}`}</span>
        ) : (
          <span className="text-muted">none</span>
        )}
      </td>
    </tr>
  );
}
