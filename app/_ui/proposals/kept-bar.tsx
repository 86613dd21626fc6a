import { percent } from "#lib/format.ts";
import { type Rate, wilson } from "#lib/rate.ts";

const WIDTH = 200;

/** A share with its 95 % interval on a line from nothing to all. The words beside it say the same. */
export function KeptBar({ rate }: { rate: Rate }) {
  const interval = wilson(rate);
  if (interval === null) return null;
  const [low, high] = interval;
  const x = (share: number) => 4 + share * (WIDTH - 8);
  return (
    <svg viewBox={`0 0 ${WIDTH} 16`} aria-hidden="true" className="h-4 w-50">
      <line x1={x(0)} x2={x(1)} y1="8" y2="8" className="stroke-line" strokeWidth="1" />
      {[0, 0.5, 1].map((tick) => (
        <line key={tick} x1={x(tick)} x2={x(tick)} y1="5" y2="11" className="stroke-strong" strokeWidth="1" />
      ))}
      <line x1={x(low)} x2={x(high)} y1="8" y2="8" className="stroke-accent" strokeWidth="4" opacity="0.4" />
      <circle cx={x(rate.hits / rate.of)} cy="8" r="3.5" className="fill-accent" />
    </svg>
  );
}

/** `64 to 99%`; null where there is nothing to count. */
export function intervalWords(rate: Rate): string | null {
  const interval = wilson(rate);
  if (interval === null) return null;
  const [low, high] = interval.map((share) => percent({ hits: share, of: 1 }, 0));
  return `${low} to ${high}`;
}
