import type { CurvePoint } from "#lib/eval/reliability.ts";
import { percent } from "#lib/format.ts";

const WIDTH = 112;
const HEIGHT = 56;
const EDGE = 4;

/**
 * How pass^k falls and pass@k rises with k. The gap between the two lines is the unreliability; both start at the mean
 * success. The numbers stand in the table of the curve as well.
 */
export function PassCurve({ curve }: { curve: readonly CurvePoint[] }) {
  const last = curve.at(-1);
  if (last === undefined || curve.length < 2) return null;
  const x = (at: number) => EDGE + (at * (WIDTH - 2 * EDGE)) / (curve.length - 1);
  const y = (share: number) => EDGE + (1 - share) * (HEIGHT - 2 * EDGE);
  const line = (of: (point: CurvePoint) => number) =>
    curve.map((point, at) => `${x(at).toFixed(1)},${y(of(point)).toFixed(1)}`);
  const all = line(({ pass_all }) => pass_all);
  const any = line(({ pass_any }) => pass_any);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={curveWords(curve)}
      className="h-auto max-w-full self-start overflow-visible"
    >
      <line x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} className="stroke-line" />
      <line x1={0} x2={WIDTH} y1={y(1)} y2={y(1)} className="stroke-line" strokeDasharray="2 3" />
      <polygon points={[...any, ...[...all].reverse()].join(" ")} className="fill-strong/15" />
      <polyline
        points={any.join(" ")}
        fill="none"
        className="stroke-strong"
        strokeWidth="1.5"
        strokeDasharray="4 2"
      />
      <polyline points={all.join(" ")} fill="none" className="stroke-accent" strokeWidth="2" />
      {curve.map(({ k, pass_all, pass_any }, at) => (
        <g key={k}>
          <circle cx={x(at)} cy={y(pass_any)} r="1.5" className="fill-strong" />
          <circle cx={x(at)} cy={y(pass_all)} r="2" className="fill-accent" />
        </g>
      ))}
    </svg>
  );
}

/** The two ends of the lines, beside them. */
export function CurveEnds({ last: { k, pass_all, pass_any } }: { last: CurvePoint }) {
  return (
    <span aria-hidden="true" className="flex flex-col justify-between whitespace-nowrap text-xs">
      <span className="text-muted">{`pass@${k} ${share(pass_any)}`}</span>
      <span className="text-accent">{`pass^${k} ${share(pass_all)}`}</span>
    </span>
  );
}

/** Every point of the curve in words. */
export function curveWords(curve: readonly CurvePoint[]): string {
  return curve
    .map(({ k, pass_all, pass_any }) => `pass^${k} ${share(pass_all)}, pass@${k} ${share(pass_any)}`)
    .join("; ");
}

/** The points as a table that takes little room. */
export function CurveTable({ curve }: { curve: readonly CurvePoint[] }) {
  return (
    <table className="text-xs">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="pr-3 text-left font-normal">
            k
          </th>
          <th scope="col" className="pr-3 text-right font-normal">
            pass^k
          </th>
          <th scope="col" className="pr-3 text-right font-normal">
            pass@k
          </th>
          <th scope="col" className="text-right font-normal">
            cases
          </th>
        </tr>
      </thead>
      <tbody>
        {curve.map(({ k, pass_all, pass_any, cases }) => (
          <tr key={k}>
            <th scope="row" className="pr-3 text-left font-normal">
              {k}
            </th>
            <td className="pr-3 text-right">{share(pass_all)}</td>
            <td className="pr-3 text-right">{share(pass_any)}</td>
            <td className="text-right">{cases}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function share(value: number): string {
  return percent({ hits: value, of: 1 }, 1);
}
