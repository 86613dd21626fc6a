import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Compare scorecards</h1>
      <Waiting what="Reading the scorecards" />
      <Bar className="mt-6 h-7 w-80" />
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <Bar key={key} className="mt-3 h-6 w-full" />
      ))}
    </div>
  );
}
