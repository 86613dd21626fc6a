import { lowerBoundMoney, money } from "#lib/format.ts";
import { counted, grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";
import type { Cost } from "./model-row.ts";

/** `$4.10`, or `≥ $4.10` where runs without a price or a full count are not in it. */
export function CostValue({ cost }: { cost: Cost }) {
  if (cost.usd === null) return <Unknown why="no run carries a price" />;
  const title = `${grouped(cost.priced)} of ${counted(cost.runs, "run")} priced${cost.lowerBound ? "; a lower bound" : ""}`;
  return (
    <span title={title} className="whitespace-nowrap">
      {cost.lowerBound ? lowerBoundMoney(cost.usd) : money(cost.usd)}
    </span>
  );
}
