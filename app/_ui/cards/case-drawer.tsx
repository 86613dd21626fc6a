"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useRef } from "react";
import type { CaseAnswer } from "#app/card-loaders.ts";
import type { MatrixRow } from "#lib/eval/matrix.ts";
import { visible } from "#lib/format.ts";
import { isTyping } from "../keys.tsx";
import { grouped } from "../number.ts";
import { Untrusted } from "../rate.tsx";
import { Waiting } from "../skeleton.tsx";
import { CardCase } from "./card-case.tsx";
import type { ColumnName } from "./matrix-row.tsx";
import { useCase } from "./use-case.ts";

type DrawerProps = {
  /** null: closed. */
  id: string | null;
  columns: ColumnName[];
  ranked: number[];
  row: MatrixRow | null;
  query: string;
  /** Where the case stands among those shown; null when the filters leave it out. */
  position: { at: number; of: number } | null;
  step: (by: number) => void;
  close: () => void;
};

/** One case in every card, beside the matrix; `j` and `k` go through the cases that the matrix shows. */
export function CaseDrawer({ id, columns, ranked, row, query, position, step, close }: DrawerProps) {
  const { answer, problem, retry } = useCase(id, query);
  useStepKeys(id !== null, step);
  const top = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another case starts at its top
  useEffect(() => {
    // In braces: what a scroll gives back is a promise in some browsers, and no clean-up.
    top.current?.scrollTo(0, 0);
  }, [id]);
  return (
    <Dialog.Root open={id !== null} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-ground/60 print:hidden" />
        <Dialog.Popup
          ref={top}
          tabIndex={-1}
          initialFocus={top}
          className="fixed inset-y-0 right-0 z-40 w-full max-w-[720px] overflow-y-auto overscroll-contain border-line border-l bg-ground shadow-lg outline-none"
        >
          <div className="sticky top-0 z-10 flex items-start gap-3 border-line border-b bg-ground px-4 py-3">
            <Dialog.Title className="min-w-0 grow break-words font-semibold text-base">
              <Untrusted mono>{visible(id ?? "")}</Untrusted>
            </Dialog.Title>
            {position !== null && (
              <div className="flex shrink-0 items-center gap-1.5 text-muted text-xs">
                <span className="hidden sm:inline">{`${grouped(position.at + 1)} of ${grouped(position.of)}`}</span>
                <Step by={-1} step={step} disabled={position.at === 0} />
                <Step by={1} step={step} disabled={position.at + 1 >= position.of} />
              </div>
            )}
            <Dialog.Close className="control shrink-0">Close</Dialog.Close>
          </div>
          <div className="px-4 pt-2 pb-8">
            {id !== null && (
              <Content
                id={id}
                answer={answer}
                problem={problem}
                retry={retry}
                columns={columns}
                ranked={ranked}
                row={row}
              />
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Step({ by, step, disabled }: { by: 1 | -1; step: (by: number) => void; disabled: boolean }) {
  const name = by === 1 ? "Next case" : "Previous case";
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={() => step(by)}
      aria-label={name}
      title={`${name} (${by === 1 ? "j" : "k"})`}
      className="control px-2 disabled:cursor-default disabled:opacity-40"
    >
      {by === 1 ? "↓" : "↑"}
    </button>
  );
}

function Content({
  id,
  answer,
  problem,
  retry,
  columns,
  ranked,
  row,
}: {
  id: string;
  answer: CaseAnswer | null;
  problem: string | null;
  retry: () => void;
  columns: ColumnName[];
  ranked: number[];
  row: MatrixRow | null;
}) {
  if (problem !== null) {
    return (
      <p role="alert" className="py-2 text-broken text-sm">
        {`✕ ${problem} `}
        <button type="button" onClick={retry} className="link">
          Try again
        </button>
      </p>
    );
  }
  if (answer === null) return <Waiting what="Reading the case" />;
  return columns.map(({ name }, at) => {
    const card = answer.cards.find((one) => one.name === name);
    return (
      <CardCase
        key={`${name}\0${id}`}
        id={id}
        name={name}
        at={at}
        detail={card?.detail ?? null}
        problem={card?.problem ?? null}
        cell={row?.cells[at] ?? ""}
        baseline={at > 0 && ranked.includes(at) ? (row?.cells[0] ?? "") : null}
      />
    );
  });
}

function useStepKeys(open: boolean, step: (by: number) => void) {
  useEffect(() => {
    if (!open) return;
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const by = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      step(by);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [open, step]);
}
