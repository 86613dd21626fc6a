import { existsSync } from "node:fs";
import path from "node:path";

const dir = path.resolve(import.meta.dirname, "../../../shared");

/** The folder of real files and vectors that stands beside the checkout where mecha is developed; null elsewhere. */
export const sharedDir: string | null = existsSync(path.join(dir, "spec", "vectors.json")) ? dir : null;

/** Said as the name of a skipped suite, so that a skip has a visible reason. */
export const sharedMissing = "skipped: the shared test data is not on this machine";
