import type { Fate } from "#lib/diagnose/fate.ts";
import type { Reading } from "#lib/diagnose/proposal.ts";
import type { ChangeClass, Disposition } from "#lib/gate/rules.ts";

/** A verdict reached in the week. */
export type WeekVerdict = {
  id: string;
  /** RFC 3339. */
  created_at: string;
  outcome: Disposition;
  reason: string;
  currency: string;
  change_class: string;
  /** What was changed, else the names of the arms. */
  change: string | null;
  baseline: string;
  candidate: string;
  predicted_metric: string | null;
  /** "kept", "missed", "unknown"; null where nothing was predicted. */
  prediction: string | null;
};

/** A diagnosis of the week, whatever it came to. */
export type WeekProposal = {
  id: string;
  /** RFC 3339. */
  created_at: string;
  kind: Reading["kind"];
  /** The model whose runs were looked at, and who looked. */
  subject: string;
  provider: string;
  model: string;
  scripted: boolean;
  change_class: ChangeClass | null;
  change: string | null;
  metric: string | null;
  /** Why it is no proposal. */
  reason: string | null;
  /** As of the moment of looking, which may be later than the week. */
  fate: Fate;
};

/** What the database holds of a week, oldest first. `left_out`: rows over the bound of one list. */
export type Stored = {
  verdicts: WeekVerdict[];
  verdicts_left_out: number;
  proposals: WeekProposal[];
  proposals_left_out: number;
};

/** Of a machine on which nothing was ever stored. */
export const NOTHING_STORED: Stored = {
  verdicts: [],
  verdicts_left_out: 0,
  proposals: [],
  proposals_left_out: 0,
};
