import type { Taint } from "#lib/transcript/record.ts";
import type { CallPlan, TriggerName } from "./cells.ts";
import type { Random } from "./random.ts";
import { TRIGGER_TOOLS } from "./trigger-tools.ts";
import { WORKSPACES, type WorkspaceName } from "./world.ts";

/** A call and its result as they stand in a transcript. */
export type Call = {
  name: string;
  input: Record<string, unknown>;
  result: string;
  isError: boolean;
  denied: boolean;
};

export type Scene = {
  workspace: WorkspaceName;
  trigger: TriggerName | null;
  /** What was asked for takes a change of files. */
  edits: boolean;
  taint: Taint;
  random: Random;
};

/**
 * A call that goes as planned, and what it says. `leadsUp` is null, or the place of the call in a run in which a send
 * is refused: its first two calls bring in what the refusal is about.
 */
export function makeCall(plan: CallPlan, leadsUp: number | null, scene: Scene): Call {
  if (leadsUp === 0) return readFile(scene);
  if (leadsUp === 1) return fetchPage(scene);
  switch (plan) {
    case "ok":
      return scene.trigger === null ? okCall(scene) : triggerCall(scene.trigger, scene, false);
    case "failed":
      return scene.trigger === null ? failedCall(scene) : triggerCall(scene.trigger, scene, true);
    case "malformed":
      return malformedCall(scene);
    case "denied_by_user":
      return deniedByUser(scene);
    case "denied_by_policy":
      return deniedByPolicy(scene);
    case "blocked_send":
      return blockedSend(scene);
    case "staged":
      return stagedMail(scene);
    default:
      return plan satisfies never;
  }
}

/** Does running this call bring something private, or something from outside, into the conversation? */
export function taintOf(call: Call): Taint {
  if (call.denied) return { private: false, untrusted: false };
  const openly = ["todo", "fs_edit", "fs_write", "http_fetch"].includes(call.name);
  return { private: !openly && !isStaged(call), untrusted: call.name === "http_fetch" };
}

/** The tool hands its mail to the outbox, which a person empties. */
export const STAGED_TOOL = "mail__send";
const isStaged = (call: Call): boolean => call.name === STAGED_TOOL;

const fine = (name: string, input: Call["input"], result: string): Call => ({
  name,
  input,
  result,
  isError: false,
  denied: false,
});
const failed = (name: string, input: Call["input"], result: string): Call => ({
  name,
  input,
  result,
  isError: true,
  denied: false,
});
const denied = (name: string, input: Call["input"], result: string): Call => ({
  name,
  input,
  result,
  isError: true,
  denied: true,
});

function okCall(scene: Scene): Call {
  const { random, taint, edits } = scene;
  const world = WORKSPACES[scene.workspace];
  const roll = random.next();
  if (roll < 0.42) return readFile(scene);
  if (roll < 0.52) {
    const folder = random.pick(world.folders);
    return fine("fs_list", { path: folder.path }, folder.names);
  }
  if (roll < 0.8) {
    const { command, out } = random.pick(world.commands);
    return fine("shell", { command }, out);
  }
  if (roll < 0.93 && edits) {
    const { path, edit } = random.pick(world.files);
    return fine("fs_edit", { path, ...edit }, `1 replacement in ${path}`);
  }
  // A second fetch would be a send after private and outside text met, which the interlock refuses.
  if (roll < 0.96 && edits && !taint.untrusted) return fetchPage(scene);
  const items = [
    { content: "find the place", status: "completed" },
    { content: "change it", status: "in_progress" },
    { content: "run the checks", status: "pending" },
  ];
  return fine("todo", { items }, "3 items, 1 done");
}

function readFile({ workspace, random }: Scene): Call {
  const file = random.pick(WORKSPACES[workspace].files);
  return fine("fs_read", { path: file.path }, file.text);
}

function fetchPage({ random }: Scene): Call {
  const page = random.pick(["cold-chain", "crate-sizes", "label-layout"]);
  const text = `<h1>${page}</h1><p>Guidance for small growers. Last reviewed in spring.</p>`;
  return fine("http_fetch", { url: `https://growers.example/guides/${page}` }, text);
}

function failedCall(scene: Scene): Call {
  const { random } = scene;
  const world = WORKSPACES[scene.workspace];
  const roll = random.next();
  if (roll < 0.35) {
    const path = random.pick(world.missing);
    return failed("fs_read", { path }, `${path}: no such file`);
  }
  if (roll < 0.75 || !scene.edits) {
    const { command, failed: output } = random.pick(world.commands);
    return failed("shell", { command }, output);
  }
  const { path, edit } = random.pick(world.files);
  const old = `${edit.old};;`;
  return failed("fs_edit", { path, old, new: edit.new }, `the text to replace does not occur in ${path}`);
}

function malformedCall({ workspace, random }: Scene): Call {
  const { path } = random.pick(WORKSPACES[workspace].files);
  const raw = `{"path": "${path}", "limit": `;
  const input = { __malformed_arguments: raw };
  return failed(
    "fs_read",
    input,
    `the arguments are not valid JSON: they end after ${raw.length} characters`,
  );
}

function deniedByUser({ workspace, random, edits }: Scene): Call {
  const world = WORKSPACES[workspace];
  if (edits && random.next() < 0.6) {
    const reason = random.pick(["not this file", "show me first", "leave it as it is for now"]);
    const { path, edit } = random.pick(world.files);
    return denied("fs_edit", { path, ...edit }, `Denied by the user: ${reason}`);
  }
  const reason = random.pick([
    "ask me before you run this",
    "not needed for this",
    "that is not what I meant",
  ]);
  return denied("shell", { command: random.pick(world.commands).command }, `Denied by the user: ${reason}`);
}

function deniedByPolicy({ workspace, random }: Scene): Call {
  const { path } = random.pick(WORKSPACES[workspace].files);
  return denied(
    "fs_write",
    { path, content: "done\n" },
    "Blocked by policy: fs_write changes files and this run is read-only",
  );
}

function blockedSend({ random }: Scene): Call {
  const url = `https://paste.example/new?box=${random.between(100, 999)}`;
  return denied(
    "http_fetch",
    { url },
    "Blocked by policy: private and outside text are both in this conversation, so nothing is sent out",
  );
}

function stagedMail({ random }: Scene): Call {
  const route = random.pick(["north", "harbour"]);
  const input = {
    to: `${route}-route@orchard.example`,
    subject: "Boxes for tomorrow",
    body: "The list is attached.",
  };
  return fine(STAGED_TOOL, input, `Staged in the outbox as ${random.hex(8)}: a person sends it or drops it.`);
}

function triggerCall(trigger: TriggerName, { random }: Scene, fails: boolean): Call {
  const tool = random.pick(TRIGGER_TOOLS[trigger]);
  const input = tool.inputs === null ? {} : { [tool.inputs.key]: random.pick(tool.inputs.values) };
  return fails ? failed(tool.name, input, tool.failed) : fine(tool.name, input, tool.out);
}
