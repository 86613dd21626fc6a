import { afterAll, beforeAll, describe, test } from "vitest";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { claudeHome, failingHome, mechaHome } from "#tests/support/store-homes.ts";

const homes = { empty: tempHome(), mecha: tempHome(), failing: tempHome(), both: tempHome() };

beforeAll(() => {
  mechaHome(homes.mecha.home);
  failingHome(homes.failing.home);
  mechaHome(homes.both.home);
  claudeHome(homes.both.home);
});
afterAll(() => {
  for (const one of Object.values(homes)) one.remove();
});

const cases: [name: string, home: keyof typeof homes, argv: string[]][] = [
  ["help", "empty", ["--help"]],
  ["no-command", "empty", []],
  ["list-help", "empty", ["sessions", "list", "--help"]],
  ["show-help", "empty", ["sessions", "show", "--help"]],
  ["doctor-help", "empty", ["doctor", "--help"]],
  ["unknown-command", "empty", ["sesions"]],
  ["unknown-command-below", "empty", ["helth"]],
  ["unknown-command-in-several", "empty", ["list"]],
  ["help-of-a-subcommand", "empty", ["help", "sessions", "health"]],
  ["help-of-nothing", "empty", ["help", "health"]],
  ["unknown-subcommand", "empty", ["sessions", "lst"]],
  ["unknown-flag", "empty", ["sessions", "list", "--modle", "x"]],
  ["bad-limit", "empty", ["sessions", "list", "-n", "1e3"]],
  ["bad-days", "empty", ["sessions", "health", "--days", "-3"]],
  ["bad-as-of", "empty", ["sessions", "health", "--as-of", "last week"]],
  ["bad-zone", "empty", ["doctor", "--zone", "Nowhere/Land"]],
  ["bad-source", "empty", ["sessions", "list", "--source", "bogus"]],
  ["missing-source", "empty", ["sessions", "health", "--source", "claude-code=/nonexistent"]],
  ["missing-id", "empty", ["sessions", "show"]],
  ["empty-health", "empty", ["sessions", "health"]],
  ["empty-health-json", "empty", ["sessions", "health", "--json"]],
  ["empty-list", "empty", ["sessions", "list"]],
  ["empty-list-json", "empty", ["sessions", "list", "--json"]],
  ["empty-show", "empty", ["sessions", "show", "2026"]],
  ["empty-doctor", "empty", ["doctor"]],
  ["empty-doctor-json", "empty", ["doctor", "--json"]],
  ["health", "mecha", ["sessions", "health"]],
  ["health-days", "mecha", ["sessions", "health", "--days", "30"]],
  ["health-json", "mecha", ["sessions", "health", "--json"]],
  ["health-model", "mecha", ["sessions", "health", "--model", "qwen3-moe"]],
  ["health-model-unknown", "mecha", ["sessions", "health", "--model", "nobody"]],
  ["health-as-of", "mecha", ["sessions", "health", "--as-of", "2026-07-01"]],
  ["stats", "mecha", ["sessions", "stats"]],
  ["stats-json", "mecha", ["sessions", "stats", "--json"]],
  ["list", "mecha", ["sessions", "list"]],
  ["list-zone", "mecha", ["sessions", "list", "--zone", "Asia/Kathmandu", "-n", "2"]],
  ["list-json", "mecha", ["sessions", "list", "--days", "30", "--json"]],
  ["list-model", "mecha", ["sessions", "list", "--model", "gpt-oss-120b"]],
  ["show", "mecha", ["sessions", "show", "20260805T09"]],
  ["show-failed", "mecha", ["sessions", "show", "20260805T09", "--failed"]],
  ["show-no-failed", "mecha", ["sessions", "show", "20260601", "--failed"]],
  ["show-limited", "mecha", ["sessions", "show", "20260805T09", "-n", "3"]],
  ["show-json", "mecha", ["sessions", "show", "20260805T09", "-n", "2", "--json"]],
  ["show-hostile", "mecha", ["sessions", "show", "20260805T10"]],
  ["show-ambiguous", "mecha", ["sessions", "show", "20260805"]],
  ["show-unknown", "mecha", ["sessions", "show", "zzz"]],
  ["show-bad-place", "mecha", ["sessions", "show", "20260601", "--from", "here"]],
  ["path", "mecha", ["sessions", "path", "20260601"]],
  ["path-json", "mecha", ["sessions", "path", "20260601", "--json"]],
  ["doctor", "failing", ["doctor"]],
  ["doctor-json", "failing", ["doctor", "--json"]],
  ["doctor-healthy", "mecha", ["doctor"]],
  ["both-health", "both", ["sessions", "health"]],
  ["both-health-one", "both", ["sessions", "health", "--source", "claude-code"]],
  ["both-stats", "both", ["sessions", "stats"]],
  ["both-list", "both", ["sessions", "list"]],
  ["both-list-subagents", "both", ["sessions", "list", "--subagents", "--source", "claude-code"]],
  ["both-show", "both", ["sessions", "show", "5e55"]],
  ["both-show-subagent", "both", ["sessions", "show", "agent-a1", "--failed"]],
];

describe("what each command says, to the letter", () => {
  test.each(cases)("%s", async (name, at, argv) => {
    const { home } = homes[at];
    expectGolden(name, argv, await runCli(argv, { home }), home);
  });
});

describe("on a terminal", () => {
  test("colour marks what words say already", async () => {
    const { home } = homes.mecha;
    const argv = ["sessions", "show", "20260805T09", "--failed"];
    expectGolden("terminal-show-failed", argv, await runCli(argv, { home, answers: [] }), home);
  });

  test("a table fits the terminal", async () => {
    const { home } = homes.mecha;
    const argv = ["sessions", "list"];
    expectGolden("terminal-list", argv, await runCli(argv, { home, answers: [], columns: 90 }), home);
  });

  test("an accepted remedy runs in this very program", async () => {
    const { home } = homes.failing;
    expectGolden("terminal-doctor-yes", ["doctor"], await runCli(["doctor"], { home, answers: ["y"] }), home);
  });
});
