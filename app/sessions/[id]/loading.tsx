import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

const ROWS = Array.from({ length: 10 }, (_, index) => index);

export default function Loading() {
  return (
    <div>
      <Bar className="mt-5 h-5 w-1/3" />
      <Waiting what="Looking up the session" />
      <div className="mt-6 grid grid-cols-1 gap-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <Bar className="h-40 w-full" />
        <div>
          {ROWS.map((row) => (
            <Bar key={row} className="mb-3 h-10 w-full" />
          ))}
        </div>
      </div>
    </div>
  );
}
