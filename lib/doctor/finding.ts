/** A command that a person may run, as argv; never a shell line. */
export type Remedy = { description: string; argv: string[]; needs_terminal: boolean };

export type Severity = "broken" | "attention";

/** One thing that is wrong. */
export type Finding = {
  /** Stable over time for the same fact: check and subject, such as `runs/cut_short/recorded/qwen3-moe`. */
  id: string;
  component: "runs" | "triggers" | "store";
  severity: Severity;
  summary: string;
  detail: string;
  remedy?: Remedy;
  /** The numbers it rests on. */
  evidence: Record<string, number | string | null>;
};

/** Something worth knowing that is not wrong; never changes an exit code. */
export type Notice = { id: string; summary: string; detail: string };

/** How one of a trigger's recent runs went, for a mark on a page. */
export type TriggerMark = {
  outcome: "ok" | "error" | "did_nothing" | "skipped";
  started_at: string;
  tool_calls: number;
  tool_errors: number;
  session_id: string | null;
};

/** One trigger as the findings page lists it; `marks` are its last five ledger rows, oldest first. */
export type TriggerStatus = {
  name: string;
  enabled: boolean;
  schedule: string;
  timezone: string | null;
  description: string | null;
  /** RFC 3339; null when disabled or never. */
  next_at: string | null;
  marks: TriggerMark[];
  finding_ids: string[];
};

/** The one value behind `mecha doctor` and `/findings`. */
export type DoctorReport = {
  as_of: string;
  findings: Finding[];
  notices: Notice[];
  triggers: TriggerStatus[];
};
