import { USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { runConfined, runOpen } from "#lib/sandbox/run.io.ts";

// Started by a test that kills it without a word: argv is the kind, the workspace and the command.
const [kind, workspace = "", command = ""] = process.argv.slice(2);
const limits = { ...USUAL_LIMITS, timeoutMs: 60_000, outputBytesMax: 1000 };
const { signal } = new AbortController();
const argv = ["bash", "-c", command];
const call =
  kind === "open"
    ? runOpen(argv, { cwd: workspace, env: process.env }, limits, signal)
    : runConfined(
        argv,
        { workspace, cwd: workspace, writable: true, network: false, env: {} },
        limits,
        signal,
      );
process.stdout.write("called\n");
await call;
