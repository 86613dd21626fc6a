import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that goes when the test ends. */
export function scratchDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "mecha-scan-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The header line of a session that began at `created`. */
export function metaLine(id: string, created = "2026-08-05T09:15:00Z", over: object = {}): string {
  const meta = {
    record: "meta",
    id,
    created_at: created,
    provider: "local",
    model: "first",
    workspace: "/w",
    ...over,
  };
  return `${JSON.stringify(meta)}\n`;
}

/** The line of an outcome with as many turns, in a shape that only a full reader takes. */
export function outcomeLine(turns: number): string {
  return `{"record":"outcome","turns":${turns}}\n`;
}

export function messageLine(text: string): string {
  return `${JSON.stringify({ record: "message", role: "user", content: [{ type: "text", text }] })}\n`;
}

/** Writes a session file and gives its path. */
export function writeSession(dir: string, name: string, ...parts: (string | Buffer)[]): string {
  const file = path.join(dir, `${name}.jsonl`);
  writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))));
  return file;
}
