import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

const ROWS = Array.from({ length: 10 }, (_, index) => index);

export default function Loading() {
  return (
    <div>
      <Bar className="mt-5 h-5 w-1/3" />
      <Waiting what="Reading the transcript" />
      {ROWS.map((row) => (
        <Bar key={row} className="mb-3 h-10 w-full" />
      ))}
    </div>
  );
}
