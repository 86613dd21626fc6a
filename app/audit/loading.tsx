import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

const LINES = ["a", "b", "c", "d", "e", "f", "g", "h"];

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Audit</h1>
      <Waiting what="Reading the audit" />
      {LINES.map((key) => (
        <Bar key={key} className="mt-4 h-4 w-full" />
      ))}
    </div>
  );
}
