import type { ToolSpec } from "#lib/agent/model.ts";
import type { Parsed } from "#lib/errors.ts";
import { nestsDeeper } from "#lib/nesting.ts";
import { clipped } from "#lib/utf8.ts";
import { fitSchema } from "./fit-schema.ts";
import type { ListedTool } from "./listed-tool.ts";

const DESCRIPTION_MAX = 8000;
const SCHEMA_BYTES_MAX = 128 * 1024;
const DEPTH_MAX = 64;

/** A server's tool as a model is told of it; a schema that is another's, too large or too deep to send is a problem. */
export function toolSpec(name: string, tool: ListedTool): Parsed<ToolSpec> {
  if (tool.problem !== null) return { ok: false, problem: tool.problem };
  if (nestsDeeper(tool.inputSchema, DEPTH_MAX))
    return { ok: false, problem: `its schema is nested more than ${DEPTH_MAX} deep` };
  const parameters = fitSchema(tool.inputSchema, cleanText);
  const size = Buffer.byteLength(JSON.stringify(parameters));
  if (size > SCHEMA_BYTES_MAX)
    return { ok: false, problem: `its schema has ${size} bytes; ${SCHEMA_BYTES_MAX} is the most` };
  const description = clipped(cleanText(tool.description).trim(), DESCRIPTION_MAX);
  return { ok: true, value: { name, description, parameters } };
}

// Controls but tab and newline, and everything drawn as nothing, the marks that reorder a line among them; the joiners
// and variation selectors that scripts and emoji need stay.
const UNSEEN =
  /(?![\t\n])\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Text that a model reads as instructions and a person sees in a log: both must see the same. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(UNSEEN, "");
}
