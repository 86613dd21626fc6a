import type { NextRequest } from "next/server";
import { queryOf } from "#app/api/answer.ts";
import { loadReview } from "#app/review-loaders.ts";
import { UserError } from "#lib/errors.ts";
import { reviewHtml } from "#lib/review/html.ts";

type Context = { params: Promise<{ week: string }> };

/** The review as one file that needs nothing else. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  try {
    const loaded = await loadReview((await params).week, queryOf(request));
    if (!loaded.ok) return plain(loaded.problem, 404);
    const { report } = loaded.view;
    return new Response(reviewHtml(report), {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Disposition": `attachment; filename="review-${report.week.key}.html"`,
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex, nofollow",
      },
    });
  } catch (error) {
    if (error instanceof UserError) return plain(error.message, 500);
    throw error;
  }
}

function plain(text: string, status: number): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(`${text}\n`, { status, headers });
}
