import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Calibration</h1>
      <Waiting what="Counting predictions" />
      <Bar className="mt-6 h-8 w-72" />
      <Bar className="mt-10 h-40 w-full" />
    </div>
  );
}
