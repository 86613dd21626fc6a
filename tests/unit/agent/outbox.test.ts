import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOutbox } from "#lib/agent/outbox.io.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "mecha-outbox-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const mail = { id: "t1", name: "mail__send", input: { to: "ada@example.org", body: "half \ud800 a pair" } };
const outbox = (dir = path.join(home, "outbox")) =>
  createOutbox({ dir, tools: ["mail__send"], sessionId: "20260805T091500-3f2a1b7c" });

test("only the tools it names are kept back", () => {
  expect(["mail__send", "mail__sen", "fs_read"].map(outbox().routes)).toEqual([true, false, false]);
});

test("a draft is a file of its owner's, and the model is told its id and that nothing was sent", async () => {
  const said = await outbox().stage(mail);
  const [name = "", ...others] = readdirSync(path.join(home, "outbox"));
  expect(others).toEqual([]);
  const file = path.join(home, "outbox", name);
  const draft = JSON.parse(readFileSync(file, "utf8"));
  expect(draft).toEqual({
    id: name.replace(".json", ""),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    session_id: "20260805T091500-3f2a1b7c",
    tool: "mail__send",
    input: mail.input,
    status: "draft",
  });
  expect(Object.keys(draft)).toEqual(["id", "created_at", "session_id", "tool", "input", "status"]);
  expect(said).toContain(draft.id);
  expect(said).toContain("nothing was sent");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(home, "outbox")).mode & 0o777).toBe(0o700);
});

test("a folder that others could read is closed to them", async () => {
  const dir = path.join(home, "outbox");
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  await outbox().stage(mail);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test("drafts of one second do not replace each other", async () => {
  const one = outbox();
  await Promise.all(Array.from({ length: 50 }, () => one.stage(mail)));
  expect(readdirSync(path.join(home, "outbox"))).toHaveLength(50);
});

test("where it cannot be stored, that is an error which says that nothing was sent, and nothing is left", async () => {
  writeFileSync(path.join(home, "file"), "");
  const staged = outbox(path.join(home, "file", "outbox")).stage(mail);
  await expect(staged).rejects.toThrow(/ENOTDIR/);
  expect(readdirSync(home)).toEqual(["file"]);
});
