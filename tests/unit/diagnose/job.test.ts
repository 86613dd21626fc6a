import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenDb, openDb } from "#db/client.ts";
import { diagnoseJob, type JobPlace } from "#lib/diagnose/job.io.ts";
import { type DiagnosePayload, parseDiagnosePayload } from "#lib/diagnose/job-payload.ts";
import { listDiagnoses } from "#lib/diagnose/proposals.io.ts";
import { settingsFrom } from "#lib/settings.ts";
import { agentHome } from "#tests/support/agent-home.ts";
import { NOW, tempHome } from "#tests/support/cli.ts";
import { failingHome } from "#tests/support/store-homes.ts";

let home: string;
let remove: () => void;
let opened: OpenDb;
beforeEach(() => {
  ({ home, remove } = tempHome());
  opened = openDb(path.join(home, "mecha.db"));
});
afterEach(() => {
  opened.close();
  remove();
});

const PAYLOAD: DiagnosePayload = {
  id: "00000000-0000-4000-8000-000000000001",
  subject: null,
  days: null,
  limit: 200,
  web: false,
  provider: "proposer",
  model: null,
};

function place(over: Partial<JobPlace> = {}): JobPlace {
  const settings = settingsFrom({}, { osHome: home, cwd: home, systemZone: "UTC" });
  if (!settings.ok) throw new Error(settings.problem);
  return {
    db: opened.db,
    settings: settings.value,
    env: {},
    cwd: home,
    now_ms: Date.parse(NOW),
    signal: new AbortController().signal,
    ...over,
  };
}
const stored = () => listDiagnoses(opened.db, { limit: 10 });

it("a queued diagnosis is made and stored under its own id", async () => {
  failingHome(home);
  const diagnosis = await diagnoseJob(PAYLOAD, place());
  expect(diagnosis).toMatchObject({
    id: PAYLOAD.id,
    reading: { kind: "proposal" },
    subject: "qwen3-moe",
    scripted: true,
  });
  expect(stored()).toEqual([diagnosis]);
});

it("tried again it asks nobody a second time", async () => {
  failingHome(home);
  const first = await diagnoseJob(PAYLOAD, place());
  const again = await diagnoseJob(
    { ...PAYLOAD, provider: "nobody" },
    place({ now_ms: Date.parse(NOW) + 5000 }),
  );
  expect(again).toEqual(first);
  expect(stored()).toHaveLength(1);
});

it.each<[string, Partial<DiagnosePayload>, RegExp]>([
  ["no run", {}, /no finished run to diagnose/],
  ["a provider that is not there", { provider: "nobody" }, /there is no provider "nobody"/],
])("%s is stored as a failed diagnosis", async (_, over, reason) => {
  const diagnosis = await diagnoseJob({ ...PAYLOAD, ...over }, place());
  expect(diagnosis?.reading).toMatchObject({ kind: "failed", reason: expect.stringMatching(reason) });
  expect(stored()).toEqual([diagnosis]);
});

it("broken off, it leaves nothing behind", async () => {
  agentHome(home, { otherwise: { text: "words", endless: true, chunk_delay_ms: 1 } });
  failingHome(home);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  expect(await diagnoseJob({ ...PAYLOAD, provider: "s" }, place({ signal: stop.signal }))).toBeNull();
  expect(stored()).toEqual([]);
});

it.each([
  [null],
  [{}],
  [{ ...PAYLOAD, id: "../x" }],
  [{ ...PAYLOAD, subject: 1 }],
  [{ ...PAYLOAD, days: 0 }],
  [{ ...PAYLOAD, days: Number.POSITIVE_INFINITY }],
  [{ ...PAYLOAD, limit: 1.5 }],
  [{ ...PAYLOAD, web: "yes" }],
  [{ ...PAYLOAD, provider: " " }],
  [{ ...PAYLOAD, model: "x".repeat(2000) }],
])("a payload that is none is refused: %j", async (payload) => {
  expect(parseDiagnosePayload(payload).ok).toBe(false);
  await expect(diagnoseJob(payload, place())).rejects.toThrow(/a diagnosis in the queue: /);
});
