import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Findings</h1>
      <Waiting what="Checking the newest sessions and the triggers" />
      {["a", "b", "c"].map((key) => (
        <div key={key} className="mt-6">
          <Bar className="h-4 w-1/2" />
          <Bar className="mt-2 h-3 w-2/3" />
          <Bar className="mt-3 h-7 w-72" />
        </div>
      ))}
    </div>
  );
}
