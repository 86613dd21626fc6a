import type { Finding } from "#lib/doctor/finding.ts";

/** A finding with this id; what is not given is plain. */
export function finding(id: string, over: Partial<Finding> = {}): Finding {
  return {
    id,
    component: "runs",
    severity: "attention",
    summary: `${id} is wrong`,
    detail: "12 of 24 runs",
    remedy: {
      description: "read how the runs went",
      argv: ["mecha", "sessions", "health", "--days", "30"],
      needs_terminal: false,
    },
    evidence: { hits: 12, of: 24 },
    ...over,
  };
}
