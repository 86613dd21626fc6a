"use client";

import { useState } from "react";
import type { Excerpt, RunDetail } from "#lib/eval/case-detail.ts";
import { duration, money, visible } from "#lib/format.ts";
import { counted, grouped } from "../number.ts";
import { folded, plainText } from "../transcript/plain-text.ts";
import { MARK_WORDS, MarkSign } from "./marks.tsx";
import { messageOf } from "./use-case.ts";

type RunProps = {
  run: RunDetail;
  of: number;
  /** The page of its transcript. */
  transcript: string;
  fetchWhole: () => Promise<RunDetail | null>;
};

/** One run: why it did not pass, which tools it called, what it answered. Everything in it is text. */
export function RunView({ run: sent, of, transcript, fetchWhole }: RunProps) {
  const [whole, setWhole] = useState<RunDetail | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const run = whole ?? sent;
  async function load() {
    try {
      setWhole(await fetchWhole());
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <details open={run.mark !== "pass" || of === 1} className="py-2">
      <summary className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="whitespace-nowrap">
          <MarkSign mark={run.mark} /> {`Run ${run.run} ${MARK_WORDS[run.mark]}`}
        </span>
        <span className="text-muted text-xs">{factsOf(run).join(" · ")}</span>
      </summary>
      <div className="mt-2 space-y-3 pl-5">
        <Failures run={run} />
        <Passed run={run} />
        <Tools run={run} />
        <Answer answer={run.answer} />
        {isCut(run) && whole === null && (
          <button type="button" onClick={() => void load()} className="link text-xs">
            read all of this run
          </button>
        )}
        {isCut(run) && whole !== null && (
          <p className="text-attention text-xs">The rest is only in the file.</p>
        )}
        {problem !== null && <p role="alert" className="text-broken text-xs">{`✕ ${problem}`}</p>}
        {run.transcript !== null && (
          <p className="text-muted text-xs">
            <a href={transcript} className="link">
              transcript
            </a>{" "}
            <bdi className="break-all font-mono">{visible(run.transcript)}</bdi>
          </p>
        )}
      </div>
    </details>
  );
}

function factsOf(run: RunDetail): string[] {
  const some = (n: number | null, one: string, many = `${one}s`) =>
    n === null || n === 0 ? [] : [counted(n, one, many)];
  return [
    ...(run.turns === null ? [] : [counted(run.turns, "turn")]),
    ...(run.tool_calls === null ? [] : [counted(run.tool_calls, "call")]),
    ...some(run.tool_errors, "tool error"),
    ...some(run.tool_denied, "denied", "denied"),
    ...some(run.malformed_tool_args, "malformed arguments", "malformed arguments"),
    ...some(run.unknown_tools, "invented tool"),
    ...(run.elapsed_ms === null ? [] : [duration(run.elapsed_ms)]),
    ...(run.tokens === null
      ? []
      : [`${grouped(run.tokens.input)} tokens in, ${grouped(run.tokens.output)} out`]),
    ...(run.cost_usd === null ? [] : [money(run.cost_usd)]),
    ...(run.stop_cause === null || run.stop_cause === "completed" ? [] : [run.stop_cause]),
  ];
}

function Failures({ run }: { run: RunDetail }) {
  if (run.error === null && run.failed.length === 0) {
    return run.mark === "pass" ? null : (
      <p className="text-attention text-sm">! No check says why it failed.</p>
    );
  }
  return (
    <div>
      {run.error !== null && (
        <p className="untrusted whitespace-pre-wrap break-words text-attention text-sm">{`! ${plainText(run.error.text)}`}</p>
      )}
      <ul aria-label="Checks that failed">
        {run.failed.map(({ name, detail }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have one name
          <li key={at} className="py-0.5 text-sm">
            <span className="text-broken">✗ </span>
            <bdi className="break-words">{cutText(name)}</bdi>
            {detail.text !== "" && (
              <span className="untrusted block whitespace-pre-wrap break-words pl-4 text-muted text-xs leading-5">{`${plainText(detail.text)}${cutMark(detail)}`}</span>
            )}
          </li>
        ))}
      </ul>
      {run.failed_more > 0 && (
        <p className="text-muted text-xs">{`and ${run.failed_more} more that failed`}</p>
      )}
    </div>
  );
}

function Passed({ run: { passed, passed_more } }: { run: RunDetail }) {
  if (passed.length === 0) return null;
  const n = passed.length + passed_more;
  return (
    <details>
      <summary className="text-muted text-xs">{`${grouped(n)} ${n === 1 ? "check" : "checks"} passed`}</summary>
      <ul className="mt-1 pl-4 text-xs leading-5">
        {passed.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have one name
          <li key={at}>
            <span className="text-fine">✓ </span>
            <bdi className="break-words">{cutText(name)}</bdi>
          </li>
        ))}
        {passed_more > 0 && <li className="text-muted">{`and ${passed_more} more`}</li>}
      </ul>
    </details>
  );
}

/** The tools in the order of their calls; one that follows itself stands once, with its number. */
function Tools({ run: { tools, tools_more, tool_calls } }: { run: RunDetail }) {
  if (tools === null) {
    return (
      <p className="text-muted text-xs">
        {tool_calls === null
          ? "This card does not tell which tools were called."
          : `${counted(tool_calls, "tool call")}; their names are not told.`}
      </p>
    );
  }
  if (tools.length === 0) return <p className="text-muted text-xs">No tool was called.</p>;
  return (
    <ol
      aria-label="Tools called, in order"
      className="flex flex-wrap gap-x-1 gap-y-1 font-mono text-xs leading-5"
    >
      {stretches(tools).map(({ name, times }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a trace is its order
        <li key={at} className="not-last:after:pl-1 not-last:after:text-muted not-last:after:content-['→']">
          <bdi className="break-all rounded bg-raised px-1">{visible(name)}</bdi>
          {times > 1 && <span className="text-muted">{` ×${times}`}</span>}
        </li>
      ))}
      {tools_more > 0 && <li className="text-muted">{`and ${grouped(tools_more)} more`}</li>}
    </ol>
  );
}

function stretches(names: readonly string[]): { name: string; times: number }[] {
  const found: { name: string; times: number }[] = [];
  for (const name of names) {
    const last = found.at(-1);
    if (last?.name === name) last.times += 1;
    else found.push({ name, times: 1 });
  }
  return found;
}

function Answer({ answer }: { answer: Excerpt }) {
  const [open, setOpen] = useState(false);
  if (answer.full_length === 0) return <p className="text-muted text-xs">It gave no answer.</p>;
  const short = folded(answer.text);
  return (
    <div>
      <p className="text-muted text-xs">answer</p>
      <p className="untrusted max-w-[80ch] whitespace-pre-wrap break-words text-sm">
        {plainText(open || short === null ? answer.text : short)}
        {(!open && short !== null) || answer.full_length > answer.text.length ? (
          <span className="text-muted">…</span>
        ) : null}
      </p>
      {short !== null && (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="link text-xs">
          {open ? "fold" : `show ${grouped(answer.text.length)} of ${grouped(answer.full_length)} characters`}
        </button>
      )}
    </div>
  );
}

function isCut({ answer, error, failed_more, passed_more, tools_more, failed }: RunDetail): boolean {
  const texts = [
    answer,
    ...(error === null ? [] : [error]),
    ...failed.flatMap(({ name, detail }) => [name, detail]),
  ];
  return failed_more + passed_more + tools_more > 0 || texts.some((one) => one.full_length > one.text.length);
}

function cutText(excerpt: Excerpt): string {
  return `${visible(excerpt.text)}${cutMark(excerpt)}`;
}

function cutMark({ text, full_length }: Excerpt): string {
  return full_length > text.length ? "…" : "";
}
