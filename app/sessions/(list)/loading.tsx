import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

const ROWS = Array.from({ length: 16 }, (_, index) => index);

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Sessions</h1>
      <Waiting what="Reading the transcripts" />
      <Bar className="mt-6 h-7 w-2/3" />
      <div className="mt-4">
        {ROWS.map((row) => (
          <div key={row} className="flex h-[33px] items-center gap-4 border-line border-b">
            <Bar className="h-3 w-28" />
            <Bar className="h-3 grow" />
            <Bar className="h-3 w-40" />
          </div>
        ))}
      </div>
    </div>
  );
}
