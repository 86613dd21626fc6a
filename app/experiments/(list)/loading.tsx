import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Experiments</h1>
      <Waiting what="Reading the experiments" />
      {["a", "b", "c", "d"].map((key) => (
        <Bar key={key} className="mt-6 h-6 w-full" />
      ))}
    </div>
  );
}
