import type { NextRequest } from "next/server";
import { UserError, type UserErrorCode } from "#lib/errors.ts";

const STATUS: Record<UserErrorCode, number> = { usage: 400, bad_input: 500, not_found: 404 };

/** The value as JSON that no cache keeps; a failure that a person can act on as its one line, any other without words. */
export async function answerJson(load: () => Promise<unknown>): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  try {
    return Response.json(await load(), { headers });
  } catch (error) {
    if (error instanceof UserError) {
      return Response.json({ problem: error.message }, { status: STATUS[error.code], headers });
    }
    throw error;
  }
}

/** The first value of each search parameter. */
export function queryOf(request: NextRequest): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [key, value] of request.nextUrl.searchParams) query[key] ??= value;
  return query;
}

/** A whole number from 0 up, or null. */
export function wholeNumber(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && /^\d{1,12}$/.test(text) && Number.isSafeInteger(value) ? value : null;
}
