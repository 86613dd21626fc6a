import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { seededRandom } from "#lib/demo/random.ts";

/** Raised when what is written changes, so that an old store is not reused. */
const VERSION = 2;

export type StoreSpec = { sessions: number; bytes: number; runsPerSession: number };

/**
 * A deterministic mecha home under `dir`, reused when it is already there: about `bytes` of transcripts in `sessions`
 * files, each with `runsPerSession` outcomes. Tool results have the long tail that real ones have.
 */
export function ensureStore(dir: string, spec: StoreSpec): void {
  const stamp = path.join(dir, "bench.json");
  const wanted = JSON.stringify({ version: VERSION, ...spec });
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  mkdirSync(path.join(dir, "sessions"), { recursive: true });
  const disk = statfsSync(dir);
  const free = disk.bavail * disk.bsize;
  if (free < spec.bytes * 1.2 + 1e9)
    throw new Error(`not enough disk under ${dir}: ${Math.round(free / 1e6)} MB free`);
  for (let n = 0; n < spec.sessions; n++) writeSession(dir, spec, n);
  writeFileSync(stamp, wanted);
}

function writeSession(dir: string, spec: StoreSpec, n: number): void {
  const random = seededRandom(n + 1).next;
  const created = new Date(Date.UTC(2026, 5, 1) + n * 3_600_000);
  const stampText = created.toISOString().replace(/[-:]|\.\d+Z/g, "");
  const id = `${stampText}-${((n * 2654435761) >>> 0).toString(16).padStart(8, "0")}`;
  const model = n % 3 === 0 ? "qwen3-moe" : "gemma4-e4b";
  const header = {
    record: "meta",
    id,
    created_at: created.toISOString(),
    provider: "local",
    model,
    workspace: "/home/u/proj",
  };
  const parts: string[] = [`${JSON.stringify(header)}\n`, configLine(model, n)];
  const perRun = spec.bytes / spec.sessions / spec.runsPerSession;
  for (let run = 0; run < spec.runsPerSession; run++) appendRun(parts, perRun, random);
  const fd = openSync(path.join(dir, "sessions", `${id}.jsonl`), "w", 0o600);
  const body = Buffer.from(parts.join(""));
  for (let at = 0; at < body.length; ) at += writeSync(fd, body, at);
  closeSync(fd);
}

function appendRun(parts: string[], bytes: number, random: () => number): void {
  let left = bytes;
  let calls = 0;
  let errors = 0;
  const push = (record: object) => {
    const line = `${JSON.stringify(record)}\n`;
    left -= line.length;
    parts.push(line);
  };
  push({
    record: "message",
    role: "user",
    content: [{ type: "text", text: prose(200 + random() * 600, random) }],
  });
  while (left > 700) {
    const id = `call_${calls}`;
    push({
      record: "message",
      role: "assistant",
      content: [
        { type: "thinking", text: prose(100 + random() * 900, random) },
        {
          type: "tool_use",
          id,
          name: "fs_read",
          input: { path: `src/lib/file-${calls}.ts`, offset: calls, limit: 200 },
        },
      ],
    });
    const failed = random() < 0.07;
    const size = Math.min(200_000, Math.max(left * 0.9, 100), Math.exp(7.6 + 1.3 * normal(random)));
    push({
      record: "message",
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: code(size, random), is_error: failed }],
    });
    calls++;
    if (failed) errors++;
  }
  push({ record: "message", role: "assistant", content: [{ type: "text", text: prose(300, random) }] });
  for (const record of ending(calls, errors, random)) push(record);
}

function ending(calls: number, errors: number, random: () => number): object[] {
  const usage = {
    input_tokens: 5000 + calls * 900,
    output_tokens: calls * 250,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const taint = { private: true, untrusted: false };
  const stop = random() < 0.08 ? "max_turns" : "completed";
  const outcome = {
    record: "outcome",
    turns: calls + 1,
    usage,
    usage_complete: true,
    stop_cause: stop,
    exhausted: stop !== "completed",
    ended_on_failed_call: random() < 0.05,
    tool_calls: calls,
    tool_errors: errors,
    tool_denied: 0,
    tool_staged: 0,
    malformed_tool_args: 0,
    blocked_sends: 0,
    compactions: 0,
    taint,
  };
  return [{ record: "taint", ...taint }, { record: "summary", usage, turns: calls + 1 }, outcome];
}

function configLine(model: string, n: number): string {
  const config = {
    record: "config",
    mecha_version: n < 500 ? "0.1.10" : "0.1.11",
    provider: "local",
    model,
    workspace: "/home/u/proj",
    system_prompt: SYSTEM_PROMPT,
    tools: ["fs_edit", "fs_list", "fs_read", "fs_write", "shell"],
    effort: "high",
    temperature: null,
    seed: n,
    thinking: true,
    cache_prompt: true,
    max_tokens: 64000,
    max_turns: 40,
    max_output_tokens: null,
    max_cost_usd: null,
    compact_at_tokens: null,
    compact_keep_recent: 6,
    permission_mode: "ask",
    trifecta: "block",
    sandbox: "none",
    sandbox_network: false,
  };
  return `${JSON.stringify(config)}\n`;
}

const WORDS =
  "the run reads a file and then checks whether the answer is right before it goes on with the next step of the plan naïve café".split(
    " ",
  );
const CODE = [
  "export function sum(values: number[]): number {\n  return values.reduce((a, b) => a + b, 0);\n}\n",
  'if (user.name === "admin") { return { ok: true, value: "yes" }; } else { throw new Error("no"); }\n',
  "\tfor (let i = 0; i < lines.length; i++) {\n\t\tconsole.log(i, lines[i]);\n\t}\n",
  '{"id": 17, "tags": ["a", "b"], "nested": {"x": 1.5, "y": null}} {"id": 18}\n',
  "drwxr-xr-x  4 user user  4096 Aug  5 09:15 node_modules\n-rw-r--r--  1 user user 12345 Aug  5 09:15 package.json\n",
  "   Compiling serde v1.0.219\nwarning: unused variable: `x` — prefix it with an underscore\n",
];
const SYSTEM_PROMPT = prose(6000, seededRandom(42).next);

function prose(length: number, random: () => number): string {
  let text = "";
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text;
}

function code(length: number, random: () => number): string {
  let text = "";
  while (text.length < length) text += CODE[Math.floor(random() * CODE.length)];
  return text;
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
