import type { ArmProgress } from "#lib/queue/experiment.ts";

/** Finished case runs as a bar: passed, failing and errored, each with its own look; the words stand beside it. */
export function ProgressBar({ arm, label }: { arm: ArmProgress; label: string }) {
  const { total, done, failing, errored } = arm;
  const share = (n: number) => (total === 0 ? 0 : (n / total) * 100);
  const passed = done - failing - errored;
  return (
    <svg
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className="block h-1.5 w-full rounded bg-hover"
    >
      <rect x="0" y="0" height="6" width={share(passed)} className="fill-(--series-3)" />
      <rect x={share(passed)} y="0" height="6" width={share(failing)} className="fill-(--series-2)" />
      <rect x={share(passed + failing)} y="0" height="6" width={share(errored)} className="fill-strong" />
    </svg>
  );
}
