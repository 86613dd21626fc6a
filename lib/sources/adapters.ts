import type { SourceKind } from "#lib/transcript/run-row.ts";
import type { Adapter } from "./adapter.ts";
import { claudeCode } from "./claude-code/adapter.ts";
import { mecha } from "./mecha/adapter.ts";

const ADAPTERS: Record<SourceKind, Adapter> = { mecha, "claude-code": claudeCode };

/** The format behind a kind of source. */
export function adapterOf(kind: SourceKind): Adapter {
  return ADAPTERS[kind];
}
