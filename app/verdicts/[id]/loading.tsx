import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Verdict</h1>
      <Waiting what="Reading the verdict" />
      <Bar className="mt-6 h-7 w-2/3" />
      <Bar className="mt-10 h-32 w-full" />
      <Bar className="mt-10 h-40 w-full" />
    </div>
  );
}
