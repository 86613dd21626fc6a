import type { AuditAction, AuditRow } from "#lib/access/audit.io.ts";

/** What was done, as the list says it. */
export const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  enqueue: "queued an experiment",
  cancel: "cancelled",
  retry: "ran again what had errored",
  diagnose: "asked for a diagnosis",
  share: "made a link to a verdict",
  revoke_share: "revoked a link to a verdict",
  add_token: "made a token",
  revoke_token: "revoked a token",
  sign_in: "signed in",
};

/** The page of what it was done to; null where it has none. */
export function subjectHref({ action, subject }: Pick<AuditRow, "action" | "subject">): string | null {
  const id = encodeURIComponent(subject);
  switch (action) {
    case "enqueue":
    case "cancel":
    case "retry":
      return `/experiments/${id}`;
    case "share":
    case "revoke_share":
      return `/verdicts/${id}`;
    case "diagnose":
      return `/proposals?proposal=${id}`;
    case "add_token":
    case "revoke_token":
    case "sign_in":
      return null;
    default:
      return action satisfies never;
  }
}
