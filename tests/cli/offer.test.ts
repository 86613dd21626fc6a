import { expect, test } from "vitest";
import type { CliIo } from "#lib/cli/io.ts";
import { offerRemedies } from "#lib/cli/offer.ts";
import type { Finding } from "#lib/doctor/finding.ts";

const finding = (argv: string[] | null): Finding => ({
  id: "x",
  component: "runs",
  severity: "attention",
  summary: "s",
  detail: "d",
  evidence: {},
  ...(argv === null ? {} : { remedy: { description: "", argv, needs_terminal: false } }),
});

const health = ["mecha", "sessions", "health", "--days", "30"];
const findings = [finding(health), finding(null), finding(health), finding(["ls", "-l", "a b"])];

async function offer(answers: (string | null)[], isTty = { stdin: true, stdout: true, stderr: true }) {
  const asked: string[] = [];
  const ran: string[] = [];
  const io = {
    isTty,
    out: () => undefined,
    ask: async (question: string) => {
      asked.push(question);
      return answers.shift() ?? null;
    },
    run: async (argv: readonly string[]) => {
      ran.push(`program ${argv.join("|")}`);
      return 0;
    },
  } as unknown as CliIo;
  await offerRemedies(io, findings, {
    knows: (argv) => argv[0] === "sessions",
    run: async (argv) => {
      ran.push(`mecha ${argv.join("|")}`);
      return 0;
    },
  });
  return { asked, ran };
}

test("each distinct remedy is offered once; only y runs it; ours runs here, another's as argv", async () => {
  const { asked, ran } = await offer(["y", "Y"]);
  expect(asked).toEqual(["run mecha sessions health --days 30 ? [y/N] ", "run ls -l a b ? [y/N] "]);
  expect(ran).toEqual(["mecha sessions|health|--days|30", "program ls|-l|a b"]);
});

test.each(["", "n", "yes", "yy", "j", "Y es"])("%j does not accept", async (answer) => {
  expect((await offer([answer, answer])).ran).toEqual([]);
});

test("the end of the input refuses the rest", async () => {
  const { asked, ran } = await offer([null, "y"]);
  expect(asked).toHaveLength(1);
  expect(ran).toEqual([]);
});

test.each([
  { stdin: false, stdout: true, stderr: true },
  { stdin: true, stdout: false, stderr: true },
])("nothing is offered unless input and output are a terminal: %j", async (isTty) => {
  expect((await offer(["y", "y"], isTty)).asked).toEqual([]);
});

test("a command of ours that this version lacks is not offered", async () => {
  const asked: string[] = [];
  const io = {
    isTty: { stdin: true, stdout: true, stderr: true },
    ask: async (question: string) => {
      asked.push(question);
      return "y";
    },
    run: async () => 0,
  } as unknown as CliIo;
  await offerRemedies(io, [finding(["mecha", "elsewhere", "show", "x"])], {
    knows: () => false,
    run: async () => 0,
  });
  expect(asked).toEqual([]);
});
