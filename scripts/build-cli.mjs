// Bundles every script in scripts/*.ts, and the scan worker, into dist/*.mjs. Runs on plain Node so that `npm ci` can call it.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");

const scripts = readdirSync(path.join(root, "scripts"))
  .filter((name) => name.endsWith(".ts") && name !== "mecha.ts")
  .map((name) => path.join(root, "scripts", name));

const fixtures = readdirSync(path.join(root, "eval", "fixtures"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => path.join(root, "eval", "fixtures", name));

const modules = {
  outdir: dist,
  outExtension: { ".js": ".mjs" },
  entryNames: "[name]",
  chunkNames: "chunk-[hash]",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // A native addon cannot be bundled.
  external: ["better-sqlite3"],
  // CommonJS packages in an ES module need a `require`.
  banner: {
    js: 'import { createRequire as __mechaRequire } from "node:module"; const require = __mechaRequire(import.meta.url);',
  },
  write: false,
  logLevel: "warning",
};

// The command is a door to two rooms: every file that a start reads costs time, and what commands share among them
// would be cut into the more files the more commands there are. So the one that is run the most has a file to itself.
const QUICK = path.join(root, "lib/cli/quick-health.ts");
const PROGRAM = path.join(root, "lib/cli/program.ts");
const rooms = {
  name: "rooms",
  setup(plan) {
    plan.onResolve({ filter: /^\.\/(quick-health|program)\.ts$/ }, ({ path: file }) => ({
      path: file.replace(/ts$/, "mjs"),
      external: true,
    }));
  },
};
const results = [
  await build({ ...modules, entryPoints: [QUICK] }),
  await build({ ...modules, entryPoints: [...scripts, PROGRAM], splitting: true }),
  // The servers that a set of evaluation cases is run against: a file each, started once a run.
  await build({ ...modules, entryPoints: fixtures }),
  // Written last: a door never leads to a room that is not there yet.
  await build({ ...modules, entryPoints: [path.join(root, "scripts/mecha.ts")], plugins: [rooms] }),
];

// A thread starts faster from one CommonJS file than from an ES module and its chunks.
const worker = await build({
  entryPoints: [path.join(root, "lib/sources/scan-worker.io.ts")],
  outfile: path.join(dist, "scan-worker.cjs"),
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  // Only reached in the ES modules that share its sources: a thread starts no threads.
  define: { "import.meta.url": "__filename" },
  write: false,
  logLevel: "warning",
});

mkdirSync(dist, { recursive: true });
const files = [...results, worker].flatMap(({ outputFiles }) => outputFiles);
const built = new Set(files.map((file) => path.basename(file.path)));
for (const file of files) writeIfChanged(file.path, file.contents);
removeOldChunks();

/** Every change of a source leaves chunks behind; one from a moment ago may still be loaded by a process that runs. */
function removeOldChunks() {
  const tenMinutesAgo = Date.now() - 600_000;
  for (const name of readdirSync(dist)) {
    if (!/^chunk-.*\.mjs$/.test(name) || built.has(name)) continue;
    const file = path.join(dist, name);
    if (statSync(file, { throwIfNoEntry: false })?.mtimeMs < tenMinutesAgo) rmSync(file, { force: true });
  }
}

/** Whole files only, and only when they differ: another process may be running the old one. */
function writeIfChanged(file, contents) {
  if (readOrNull(file)?.equals(contents)) return;
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, contents, { mode: 0o755 });
  renameSync(partial, file);
}

function readOrNull(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
