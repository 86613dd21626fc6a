import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "#lib/make-folder.io.ts";
import { isoUtc } from "#lib/time.ts";
import type { Outbox, PendingCall } from "./parts.ts";
import { sessionId } from "./session-id.ts";

/** A call that waits for a person, as its file holds it. */
export type Draft = {
  id: string;
  /** RFC 3339, UTC. */
  created_at: string;
  session_id: string | null;
  tool: string;
  input: unknown;
  status: "draft";
};

/**
 * Calls of these tools are never run: each is kept as `<dir>/<id>.json`, readable by its owner only, for a person to
 * release. A draft is there whole or not at all.
 */
export function createOutbox(request: {
  dir: string;
  tools: readonly string[];
  sessionId: string | null;
}): Outbox {
  const routed = new Set(request.tools);
  return {
    routes: (name) => routed.has(name),
    stage: async (call) => {
      const draft = draftOf(call, request.sessionId);
      store(request.dir, draft);
      return `Kept as draft ${draft.id} in the outbox: nothing was sent. A person reads it and decides whether ${call.name} is run, so do not call it again for the same purpose.`;
    },
  };
}

function draftOf({ name, input }: PendingCall, session: string | null): Draft {
  const now = Date.now();
  const id = sessionId(now, randomBytes(4));
  return { id, created_at: isoUtc(now), session_id: session, tool: name, input, status: "draft" };
}

function store(dir: string, draft: Draft): void {
  makeFolder(dir, 0o700);
  // It may have been there before, with other rights.
  chmodSync(dir, 0o700);
  const file = path.join(dir, `${draft.id}.json`);
  // A name that no reader of drafts takes for one.
  const partial = path.join(dir, `.${draft.id}.partial`);
  try {
    writeSynced(partial, `${JSON.stringify(draft, null, 2)}\n`);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function writeSynced(file: string, text: string): void {
  const fd = openSync(file, "wx", 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
