import type { Db } from "#db/client.ts";
import type { Finding } from "#lib/doctor/finding.ts";
import { messageOf, UserError } from "#lib/errors.ts";
import { isoUtc } from "#lib/time.ts";
import { deliver } from "./deliver.ts";
import type { Look } from "./look.io.ts";
import { jsonBody, type Message } from "./message.ts";
import { isEmpty, type Known, type Plan, planOf } from "./plan.ts";
import { postJson } from "./post.io.ts";
import { knownOf, noteSent } from "./sent.io.ts";
import { slackBody } from "./slack.ts";
import type { Target } from "./target.ts";

export const FORMATS = ["json", "slack"] as const;
export type Format = (typeof FORMATS)[number];

/** What is looked at, and when; `now_ms` stamps the message. */
export type Subject = {
  look: Look;
  since: (findings: readonly Finding[]) => Promise<ReadonlyMap<string, string | null>>;
  as_of_ms: number;
  now_ms: number;
};

/** What there is to tell, and the text that tells it; null where there is nothing. */
export type Prepared = { plan: Plan; body: string | null };

/** Works out what a target has not been told yet, and sends nothing. */
export async function prepare(known: readonly Known[], subject: Subject, format: Format): Promise<Prepared> {
  const { look, since, as_of_ms, now_ms } = subject;
  const plan = planOf(look.findings, known, look.sight);
  if (isEmpty(plan)) return { plan, body: null };
  const fresh = plan.fresh.map(({ finding }) => finding);
  const message: Message = {
    sent_at: isoUtc(now_ms),
    as_of: isoUtc(as_of_ms),
    plan,
    since: fresh.length === 0 ? new Map() : await since(fresh),
  };
  return { plan, body: JSON.stringify(bodyOf(message, format)) };
}

/**
 * Sends what a target has not been told yet, in one message, and notes it as told once the target has taken it. Dying
 * between the two repeats the message next time, with the same event ids. Throws a UserError where it was not taken:
 * then nothing is noted. To be called by one process at a time.
 */
export async function sendNew(
  db: Db,
  to: { target: Target; key: string; format: Format },
  subject: Subject,
  sleep: (ms: number) => Promise<void>,
): Promise<Plan> {
  const { plan, body } = await prepare(knownOf(db, to.key), subject, to.format);
  if (body === null) return plan;
  const delivery = await deliver(() => postJson(to.target.href, body), sleep);
  if (!delivery.ok)
    throw new UserError("bad_input", `${to.target.shown} was not notified: ${delivery.problem}`);
  try {
    noteSent(db, to.key, plan, subject.now_ms);
  } catch (error) {
    const why = `sent, but this could not be noted, so it will be sent again: ${messageOf(error)}`;
    throw new UserError("bad_input", why, { cause: error });
  }
  return plan;
}

function bodyOf(message: Message, format: Format): unknown {
  switch (format) {
    case "json":
      return jsonBody(message);
    case "slack":
      return slackBody(message);
    default:
      return format satisfies never;
  }
}
