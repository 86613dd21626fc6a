import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Experiment</h1>
      <Waiting what="Reading the experiment" />
      <div className="mt-8 grid gap-10 sm:grid-cols-2">
        <Bar className="h-20 w-full" />
        <Bar className="h-20 w-full" />
      </div>
      <Bar className="mt-10 h-48 w-full" />
    </div>
  );
}
