import { expect, it } from "vitest";
import { ACTION_WORDS, subjectHref } from "#app/audit/words.ts";
import type { AuditAction } from "#lib/access/audit.io.ts";

const LEADS: Record<AuditAction, string | null> = {
  enqueue: "/experiments/a%26b",
  cancel: "/experiments/a%26b",
  retry: "/experiments/a%26b",
  diagnose: "/proposals?proposal=a%26b",
  share: "/verdicts/a%26b",
  revoke_share: "/verdicts/a%26b",
  add_token: null,
  revoke_token: null,
  sign_in: null,
};

it.each(Object.keys(ACTION_WORDS) as AuditAction[])("a line on %s leads to what it was done to", (action) => {
  expect(subjectHref({ action, subject: "a&b" })).toBe(LEADS[action]);
});
