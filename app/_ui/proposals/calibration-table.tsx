import type { CalibrationGroup } from "#lib/diagnose/calibration.ts";
import { percent, visible } from "#lib/format.ts";
import { counted, grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";
import { intervalWords, KeptBar } from "./kept-bar.tsx";

/** Of so many predictions that were measured, how many held; one row for each group. */
export function CalibrationTable({
  label,
  groups,
  mono,
}: {
  label: string;
  groups: CalibrationGroup[];
  mono: boolean;
}) {
  return (
    <table className="block w-full text-sm md:table md:table-fixed">
      <colgroup>
        <col className="w-1/4" />
        <col className="w-48" />
        <col className="w-28" />
        <col />
        <col className="w-52" />
      </colgroup>
      <thead className="hidden text-left text-muted text-xs md:table-header-group">
        <tr className="border-strong border-b">
          {[label, "Held", "95% interval", "", "Beside them"].map((name) => (
            <th key={name} scope="col" className="py-1.5 pr-4 font-normal">
              {name === "" ? <Scale /> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {groups.map((group) => (
          <Row key={group.key} group={group} mono={mono} />
        ))}
      </tbody>
    </table>
  );
}

/** Over the drawn intervals, end over end. */
function Scale() {
  return (
    <>
      <span className="sr-only">Drawn from 0 to 100%</span>
      <span aria-hidden="true" className="grid w-50 grid-cols-3">
        <span>0%</span>
        <span className="text-center">50%</span>
        <span className="text-right">100%</span>
      </span>
    </>
  );
}

function Row({ group: { key, kept, proposals, unknown }, mono }: { group: CalibrationGroup; mono: boolean }) {
  return (
    <tr className="grid grid-cols-[auto_1fr] gap-x-4 border-line border-b py-2 md:table-row md:py-0">
      <th scope="row" className="col-span-2 min-w-0 text-left font-normal md:table-cell md:py-1.5 md:pr-4">
        <bdi className={mono ? "font-mono text-xs" : ""}>{visible(key)}</bdi>
      </th>
      <td className="whitespace-nowrap md:table-cell md:py-1.5 md:pr-4">
        <Held rate={kept} />
      </td>
      <td className="whitespace-nowrap text-muted text-xs leading-5 md:table-cell md:py-1.5 md:pr-4">
        {intervalWords(kept) ?? <Unknown why="none was measured" />}
      </td>
      <td className="col-span-2 md:table-cell md:py-1.5 md:pr-4">
        <KeptBar rate={kept} />
      </td>
      <td className="col-span-2 text-muted text-xs md:table-cell md:py-1.5">
        {besideWords(proposals, kept.of, unknown)}
      </td>
    </tr>
  );
}

/** `67%  2 / 3`, faded where there are too few to say anything. */
function Held({ rate }: { rate: CalibrationGroup["kept"] }) {
  if (rate.of === 0) return <Unknown why="none was measured" />;
  return (
    <span>
      <span className={`inline-block w-10 ${rate.of < FEW ? "text-muted" : ""}`}>{percent(rate, 0)}</span>{" "}
      <span className="text-muted text-xs">{`${grouped(rate.hits)} / ${grouped(rate.of)}${rate.of < FEW ? ", too few" : ""}`}</span>
    </span>
  );
}

/** Under so many predictions an interval is wider than half the line. */
const FEW = 8;

function besideWords(proposals: number, measured: number, unknown: number): string {
  const parts = [counted(proposals, "proposal")];
  if (unknown > 0) parts.push(`${grouped(unknown)} measured without an answer`);
  if (measured + unknown === 0) parts.push("none measured");
  return parts.join(" · ");
}
