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

export type Scene = { workspace: WorkspaceName; trigger: TriggerName | null; taint: Taint; random: Random };

/** What a call that goes as planned says. `position` is its place in the run; the first calls lead up to a refused send. */
export function makeCall(plan: CallPlan, position: number, beforeSend: boolean, scene: Scene): Call {
  if (beforeSend && position === 0) return readFile(scene);
  if (beforeSend && position === 1) return fetchPage(scene);
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
  const { random, taint } = scene;
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
  if (roll < 0.93) {
    const { path, edit } = random.pick(world.files);
    return fine("fs_edit", { path, ...edit }, `1 replacement in ${path}`);
  }
  // A second fetch would be a send after private and outside text met, which the interlock refuses.
  if (roll < 0.96 && !taint.untrusted) return fetchPage(scene);
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
  if (roll < 0.75) {
    const { command, failed: output } = random.pick(world.commands);
    return failed("shell", { command }, output);
  }
  const { path, edit } = random.pick(world.files);
  const old = `${edit.old};;`;
  return failed("fs_edit", { path, old, new: edit.new }, `the text to replace does not occur in ${path}`);
}

function malformedCall({ workspace, random }: Scene): Call {
  const { path } = random.pick(WORKSPACES[workspace].files);
  const raw = `{"path": "${path}", "old": "`;
  return failed(
    "fs_edit",
    { __malformed_arguments: raw },
    "the arguments are not valid JSON: unterminated string",
  );
}

function deniedByUser({ workspace, random }: Scene): Call {
  const reason = random.pick([
    "not this file",
    "ask me first",
    "that is not what I meant",
    "leave the tests as they are",
  ]);
  const { path, edit } = random.pick(WORKSPACES[workspace].files);
  const { command } = random.pick(WORKSPACES[workspace].commands);
  const call = random.pick([
    ["fs_edit", { path, ...edit }],
    ["shell", { command }],
  ] as const);
  return denied(call[0], { ...call[1] }, `Denied by the user: ${reason}`);
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
