import { rmSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DB_FILE } from "#db/db-file.ts";
import { NOW, runCli, tempHome } from "#tests/support/cli.ts";
import { addSession, outcome, userText } from "#tests/support/store.ts";
import { failingHome } from "#tests/support/store-homes.ts";
import { addTrigger, writeLedger } from "#tests/support/trigger-home.ts";
import { type Hook, startHook } from "#tests/unit/notify/hook.ts";

const ENDS = "runs/ended_on_failed_call/recorded/qwen3-moe";
const FAILS = "runs/tool_error_rate/recorded/qwen3-moe";

let home: ReturnType<typeof tempHome>;
let hook: Hook;
let url: string;
let called: number;
beforeEach(async () => {
  called = 0;
  home = tempHome();
  hook = await startHook();
  url = `${hook.url}/services/s3cr3t?key=s3cr3t`;
});
afterEach(async () => {
  home.remove();
  await hook.close();
});

/** Runs the command, a minute after the last time; whatever it says, it does not say the address. */
async function notify(argv: string[] = [], env: Record<string, string> = { MECHA_NOTIFY_URL: url }) {
  const now = new Date(Date.parse(NOW) + 60_000 * called++).toISOString();
  const ran = await runCli(["notify", ...argv], { home: home.home, env, now });
  expect(ran.out + ran.err).not.toContain("s3cr3t");
  return { code: ran.code, out: ran.out, err: ran.err };
}

const QUIET = { code: 0, out: "", err: "" };

/** What was posted since the last time this was asked: ids only. */
function posted(): { new: string[]; resolved: string[] }[] {
  return hook.seen.splice(0).map(({ body }) => ({ new: idsOf(body.new), resolved: idsOf(body.resolved) }));
}

function idsOf(events: unknown): string[] {
  return (events as { id: string }[]).map(({ id }) => id);
}

/** Adds so many clean runs that the rates fall under their thresholds. */
function getBetter(): string {
  const runs = Array.from({ length: 200 }, () => [userText("go"), outcome({ tool_calls: 4 })]).flat();
  return addSession(path.join(home.home, ".mecha"), { id: "20260805T000000-000000ff" }, runs);
}

test("each finding is sent once when it comes, once when it is gone, and again when it comes back", async () => {
  failingHome(home.home);
  const sent = await notify();
  expect(sent).toEqual({ code: 0, out: `sent to ${hook.url}/…: 2 new, 0 resolved\n`, err: "" });
  expect(posted()).toEqual([{ new: [ENDS, FAILS], resolved: [] }]);
  expect(await notify()).toEqual(QUIET);
  expect(posted()).toEqual([]);

  const better = getBetter();
  expect((await notify()).out).toBe(`sent to ${hook.url}/…: 0 new, 2 resolved\n`);
  expect(posted()).toEqual([{ new: [], resolved: [ENDS, FAILS] }]);
  expect(await notify()).toEqual(QUIET);

  unlinkSync(better);
  await notify();
  expect(posted()).toEqual([{ new: [ENDS, FAILS], resolved: [] }]);
  expect(await notify()).toEqual(QUIET);
  expect(posted()).toEqual([]);
});

test("the message holds what doctor says, since when, and nothing of this machine", async () => {
  failingHome(home.home);
  await notify();
  const [seen] = hook.seen;
  const doctor = JSON.parse((await runCli(["doctor", "--json"], { home: home.home })).out);
  expect(seen?.path).toBe("/services/s3cr3t?key=s3cr3t");
  expect(seen?.body).toMatchObject({
    schema_version: 1,
    sent_at: expect.stringMatching(/^2026-08-06T12:0/),
    as_of: expect.stringMatching(/^2026-08-06T12:0/),
    new: doctor.map(({ id, severity, summary, detail }: Record<string, string>) => ({
      id,
      severity,
      summary,
      detail,
      component: "runs",
      since: "2026-08-04T23:59:59.999Z",
      remedy: { command: "mecha sessions health --days 30" },
    })),
    resolved: [],
    left_out: { new: 0, resolved: 0 },
  });
  expect(JSON.stringify(seen?.body)).not.toContain(home.home);
});

test("nothing wrong: nothing sent, nothing said", async () => {
  addSession(path.join(home.home, ".mecha"), { id: "20260805T000000-00000001" }, [userText("go"), outcome()]);
  expect(await notify()).toEqual(QUIET);
  expect(hook.seen).toEqual([]);
});

test("no store at all is said, for silence would be taken for health", async () => {
  const { code, out, err } = await notify();
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toContain("No agent transcripts found");
});

test("what was not taken is not noted: exit code 1, and the next run sends it", async () => {
  failingHome(home.home);
  hook.answer((_, response) => {
    response.writeHead(403);
    response.end("no /services/s3cr3t here");
  });
  expect(await notify()).toEqual({
    code: 1,
    out: "",
    err: `mecha: ${hook.url}/… was not notified: it answered with status 403\n`,
  });
  hook.seen.splice(0);
  expect((await notify()).code).toBe(0);
  expect(posted()).toEqual([{ new: [ENDS, FAILS], resolved: [] }]);
});

test("500 twice, then 200: one run, noted once", async () => {
  failingHome(home.home);
  for (const status of [500, 502]) hook.answer((_, response) => response.writeHead(status).end());
  expect((await notify()).code).toBe(0);
  const events = hook.seen.splice(0).map(({ body }) => body.new);
  expect(events).toHaveLength(3);
  expect(events[2]).toEqual(events[0]);
  expect(await notify()).toEqual(QUIET);
});

test("each address has a memory of its own, and so has each choice of sources", async () => {
  failingHome(home.home);
  await notify();
  await notify(["--to", `${hook.url}/other`]);
  await notify(["--source", "mecha"]);
  expect(posted()).toEqual(Array.from({ length: 3 }, () => ({ new: [ENDS, FAILS], resolved: [] })));
  for (const argv of [[], ["--to", `${hook.url}/other`], ["--source", "mecha"]])
    expect(await notify(argv)).toEqual(QUIET);
});

test("the database holds no address", async () => {
  failingHome(home.home);
  await notify();
  const { openDb } = await import("#db/client.ts");
  const { db, close } = openDb(path.join(home.home, ".mecha", "dashboard", DB_FILE));
  const rows = db.$client.prepare("select * from notified").all();
  close();
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/s3cr3t|127\.0\.0\.1/);
});

describe("what cannot be seen is not called resolved", () => {
  test("a store that is gone for a while", async () => {
    failingHome(home.home);
    await notify();
    posted();
    const sessions = path.join(home.home, ".mecha", "sessions");
    rmSync(sessions, { recursive: true });
    writeFileSync(sessions, "a file where the folder was");
    await notify();
    expect(posted()).toEqual([{ new: [`store/unreadable/${sessions}`], resolved: [] }]);
    unlinkSync(sessions);
    failingHome(home.home);
    await notify();
    expect(posted()).toEqual([{ new: [], resolved: [`store/unreadable/${sessions}`] }]);
    expect(await notify()).toEqual(QUIET);
  });

  test("an empty store", async () => {
    failingHome(home.home);
    await notify();
    posted();
    rmSync(path.join(home.home, ".mecha", "sessions"), { recursive: true });
    expect(JSON.parse((await notify(["--json"])).out)).toMatchObject({ held_back: 2, resolved: [] });
    expect(posted()).toEqual([]);
  });

  test("a trigger whose file is broken; one that was removed is gone", async () => {
    const file = addTrigger(home.home, "nightly", TRIGGER);
    writeLedger(home.home, [{ trigger: "nightly", started_at: "2026-08-06T03:00:00Z", status: "error" }]);
    const failed = "triggers/last_run_failed/nightly";
    await notify();
    expect(posted()).toEqual([{ new: [failed], resolved: [] }]);
    writeFileSync(file, "schedule = ");
    await notify();
    expect(posted()).toEqual([{ new: [`store/unreadable/${file}`], resolved: [] }]);
    unlinkSync(file);
    await notify();
    expect(posted()).toEqual([{ new: [], resolved: [failed, `store/unreadable/${file}`] }]);
  });
});

const TRIGGER =
  'schedule = "0 3 * * *"\nprompt = "x"\ntimezone = "UTC"\ncreated_at = "2026-08-06T00:00:00Z"\n';

describe("hostile names", () => {
  test("are sent once, whatever they hold, and never act", async () => {
    const models = [
      "<!channel> @here",
      "lone \ud800",
      "nul \u0000",
      "\u001b[2J\u202e",
      "x".repeat(30_000),
      "[a](http://e.example)",
    ];
    for (const [n, model] of models.entries()) {
      const runs = Array.from({ length: 20 }, () => [
        userText("go"),
        outcome({ tool_calls: 4, tool_errors: 2 }),
      ]).flat();
      addSession(path.join(home.home, ".mecha"), { id: `20260805T00000${n}-0000000${n}`, model }, runs);
    }
    await notify();
    const [ids] = posted();
    expect(ids?.new).toHaveLength(models.length);
    expect(await notify()).toEqual(QUIET);

    await notify(["--to", `${hook.url}/slack`, "--format", "slack"]);
    const said = JSON.stringify(hook.seen[0]?.body);
    expect(said.length).toBeLessThan(20_000);
    for (const bad of ["<", "@here", "://", "](", "\\u001b", "\u202e"]) expect(said).not.toContain(bad);
    expect(said).toContain("&lt;!channel&gt;");

    const dry = await notify(["--to", `${hook.url}/dry`, "--dry-run"]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that must not be there
    expect(dry.out).not.toMatch(/[\u001b\u202e]/);
  });
});

describe("--dry-run", () => {
  test("prints the message and leaves nothing behind", async () => {
    failingHome(home.home);
    const { code, out, err } = await notify(["--dry-run"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(idsOf(JSON.parse(out).new)).toEqual([ENDS, FAILS]);
    expect(hook.seen).toEqual([]);
    await notify();
    expect(posted()).toEqual([{ new: [ENDS, FAILS], resolved: [] }]);
    expect((await notify(["--dry-run"])).out).toBe("nothing to tell\n");
  });

  test("makes no database", async () => {
    failingHome(home.home);
    expect((await notify(["--dry-run", "--format", "slack"])).out).toContain("2 new findings");
    const { existsSync } = await import("node:fs");
    expect(existsSync(path.join(home.home, ".mecha", "dashboard"))).toBe(false);
  });

  test("with --json says what would be done, and the message", async () => {
    failingHome(home.home);
    const said = JSON.parse((await notify(["--dry-run", "--json", "--format", "slack"])).out);
    expect(said).toMatchObject({ to: `${hook.url}/…`, sent: false, new: [ENDS, FAILS], resolved: [] });
    expect(said.message.text).toContain("2 new findings");
  });
});

test("--json says what was done, also where that is nothing", async () => {
  failingHome(home.home);
  const common = { schema_version: 1, to: `${hook.url}/…`, left_out: { new: 0, resolved: 0 }, held_back: 0 };
  const first = JSON.parse((await notify(["--json"])).out);
  expect(first).toEqual({ ...common, sent: true, new: [ENDS, FAILS], resolved: [] });
  const second = JSON.parse((await notify(["--json"])).out);
  expect(second).toEqual({ ...common, sent: false, new: [], resolved: [] });
});

test("--as-of tells of another time", async () => {
  failingHome(home.home);
  expect(await notify(["--as-of", "2026-08-01"])).toEqual(QUIET);
  await notify(["--as-of", "2026-08-05"]);
  expect(hook.seen[0]?.body.as_of).toBe("2026-08-05T23:59:59.999Z");
});

describe("wrong usage is exit code 2, and repeats no address", () => {
  test.each([
    [[], {}, "where to?"],
    [[], { MECHA_NOTIFY_URL: "  " }, "where to?"],
    [[], { MECHA_NOTIFY_URL: "s3cr3t" }, "MECHA_NOTIFY_URL: it takes a whole address"],
    [["--to", "ftp://example.com/s3cr3t"], {}, "--to: it takes a whole address"],
    [["--to", "http://example.com", "--format", "xml"], {}, "json, slack"],
    [["--to", "http://127.0.0.1:1/", "--as-of", "soon"], {}, "--as-of"],
    [["--to", "http://127.0.0.1:1/", "--source", "bogus"], {}, "bogus"],
  ] as [string[], Record<string, string>, string][])("%j %j", async (argv, env, said) => {
    const ran = await notify(argv, env);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(said);
    expect(ran.out).toBe("");
  });
});

test("a database that cannot be used is exit code 1, and nothing is sent", async () => {
  failingHome(home.home);
  const file = path.join(home.home, "not-a-folder");
  writeFileSync(file, "");
  const ran = await notify([], { MECHA_NOTIFY_URL: url, MECHA_DATA_DIR: file });
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("cannot be used");
  expect(hook.seen).toEqual([]);
});
