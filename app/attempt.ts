import { type Parsed, UserError } from "#lib/errors.ts";

/** Turns a failure that a person can act on into its line; any other failure stays what it is. */
export async function attempt<T>(load: () => Promise<T>): Promise<Parsed<T>> {
  try {
    return { ok: true, value: await load() };
  } catch (error) {
    if (error instanceof UserError) return { ok: false, problem: error.message };
    throw error;
  }
}
