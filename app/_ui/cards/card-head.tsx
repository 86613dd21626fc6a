import type { ReactNode } from "react";
import type { CardColumn } from "#app/cards-view.ts";
import { modelName, visible } from "#lib/format.ts";
import { Untrusted } from "../rate.tsx";
import { Letter } from "./matrix-row.tsx";

/** Lines of doubt or difference drawn in a column head; of more, the number is said. */
const LINES_MAX = 6;

/** Which card a column is, and what has to be known before its numbers are read. */
export function CardHead({ column, at, links }: { column: CardColumn; at: number; links: ReactNode }) {
  const { name, model, differences, doubts, warnings, apart } = column;
  const blocking = differences.filter(({ blocks }) => blocks).map(({ text }) => text);
  const open = differences.filter(({ blocks }) => !blocks).map(({ text }) => text);
  return (
    <div className="min-w-0">
      <div className="flex items-start gap-2">
        <Letter at={at} />
        <div className="min-w-0">
          <p className="break-words text-sm leading-5">
            <Untrusted mono>{visible(name)}</Untrusted>
          </p>
          <p className="break-words text-muted text-xs">
            <bdi>{modelName(model)}</bdi>
          </p>
        </div>
      </div>
      <div className="mt-1 text-xs">{links}</div>
      {apart && (
        <Lines
          tone="text-attention"
          title={at === 0 ? "! Nothing is held against it:" : "! Not comparable with A:"}
          lines={blocking}
        />
      )}
      <Lines tone="text-attention" title="! In doubt:" lines={doubts} />
      <Lines tone="text-muted" title="Mind:" lines={[...open, ...warnings]} />
    </div>
  );
}

function Lines({ title, lines, tone }: { title: string; lines: string[]; tone: string }) {
  if (lines.length === 0) return null;
  return (
    <div className={`mt-1 text-xs ${tone}`}>
      {title}
      <ul className="list-disc pl-4">
        {lines.slice(0, LINES_MAX).map((line) => (
          <li key={line} className="break-words">
            {visible(line)}
          </li>
        ))}
        {lines.length > LINES_MAX && <li>{`and ${lines.length - LINES_MAX} more`}</li>}
      </ul>
    </div>
  );
}
