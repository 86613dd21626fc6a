import { describe, expect, it } from "vitest";
import { parseSessionsAsk } from "#app/search.ts";
import { filterSessions, indexSessions, modelsOf, sortSessions } from "#app/session-lines.ts";
import { aHead, aRun } from "./rows.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const heads = [
  aHead({
    id: "s3",
    created_at: "2026-11-29T08:00:00Z",
    title: null,
    model: "gamma",
    workspace: "/srv/Blog",
  }),
  aHead({ id: "s2", created_at: "2026-11-20T08:00:00Z", title: "Fix the login", subagent: true }),
  aHead({ id: "s1", created_at: "2026-10-01T08:00:00Z" }),
];
const runs = [
  aRun({ session_id: "s2", model: "beta", tool_errors: 2, tool_denied: 1, stop_cause: "max_turns" }),
  aRun({ session_id: "s2", run: 2, ended_on_failed_call: true, stop_cause: null }),
  aRun({ session_id: "s1", started_at: "2026-11-28T08:00:00Z", tool_calls: 9 }),
];
const sessions = indexSessions(heads, runs);
const ids = (params: Record<string, string>) =>
  filterSessions(sessions, parseSessionsAsk(params, "UTC").ask, NOW).map(({ line }) => line.id);

it("adds up the runs of each session", () => {
  expect(sessions.map(({ line }) => line)).toMatchObject([
    { id: "s3", models: ["gamma"], runs: 0, calls: 0, stop_cause: null },
    {
      id: "s2",
      models: ["beta", "alpha"],
      runs: 2,
      calls: 10,
      errors: 2,
      denied: 1,
      stop_cause: "unrecorded",
      failed_ends: 1,
    },
    { id: "s1", models: ["alpha"], runs: 1, calls: 9, stop_cause: "completed" },
  ]);
  expect(modelsOf(sessions)).toEqual(["alpha", "beta", "gamma"]);
});

describe("filters", () => {
  it.each([
    [{}, ["s3", "s2", "s1"]],
    [{ model: "alpha" }, ["s2", "s1"]],
    [{ model: "gamma" }, ["s3"]],
    [{ errors: "1" }, ["s2"]],
    [{ stop_cause: "cut_short" }, ["s2"]],
    [{ stop_cause: "unrecorded" }, ["s2"]],
    [{ stop_cause: "completed" }, ["s1"]],
    [{ subagents: "only" }, ["s2"]],
    [{ subagents: "without" }, ["s3", "s1"]],
    [{ source: "claude-code" }, []],
    [{ q: "LOGIN fix" }, ["s2"]],
    [{ q: "blog" }, ["s3"]],
    [{ q: "s1" }, ["s1"]],
    // A session that began before the window is inside it when one of its runs is.
    [{ days: "5" }, ["s3", "s1"]],
    [{ as_of: "2026-11-19" }, ["s1"]],
  ])("%j", (params, expected) => {
    expect(ids(params as Record<string, string>)).toEqual(expected);
  });

  it("on runs must all hold of one and the same run", () => {
    expect(ids({ model: "beta", errors: "1" })).toEqual(["s2"]);
    expect(ids({ model: "alpha", errors: "1" })).toEqual([]);
    expect(ids({ ended_on_failed_call: "1", stop_cause: "max_turns" })).toEqual([]);
  });
});

it("lists one file for each session: the largest", () => {
  const both = [
    aHead({ id: "s1", bytes: 10 }),
    aHead({ id: "s1", bytes: 99, title: "whole" }),
    aHead({ id: "s2" }),
  ];
  expect(indexSessions(both, []).map(({ line }) => [line.id, line.title])).toEqual([
    ["s1", "whole"],
    ["s2", "Tidy the notes"],
  ]);
});

it("sorts without losing the order of ties", () => {
  const order = (by: "errors" | "calls" | "created", descending: boolean) =>
    sortSessions(sessions, { by, descending }).map(({ line }) => line.id);
  expect(order("created", false)).toEqual(["s1", "s2", "s3"]);
  expect(order("errors", true)).toEqual(["s2", "s3", "s1"]);
  expect(order("calls", false)).toEqual(["s3", "s1", "s2"]);
});

it("a list shows the start of an endless title, and finds the session by the rest", () => {
  const [session] = indexSessions([aHead({ title: `${"x".repeat(1_000_000)} needle` })], []);
  expect(session?.line.title).toBe(`${"x".repeat(300)}…`);
  expect(session?.text).toContain("needle");
});
