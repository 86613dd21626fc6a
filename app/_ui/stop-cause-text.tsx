import { CUT_SHORT, type StopCause } from "#lib/transcript/record.ts";
import { CAUSE_MEANING } from "./stop-causes.tsx";

/** A stop cause in words, marked where the harness cut the run short. */
export function StopCauseText({ cause }: { cause: StopCause | "unrecorded" }) {
  const cut = cause !== "unrecorded" && CUT_SHORT.has(cause);
  return (
    <span
      title={CAUSE_MEANING[cause]}
      className={`whitespace-nowrap font-mono text-xs ${cut ? "text-attention" : "text-muted"}`}
    >
      {cut && <span aria-hidden="true">! </span>}
      {cause}
    </span>
  );
}
