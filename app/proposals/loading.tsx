import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Proposals</h1>
      <Waiting what="Reading what was diagnosed" />
      <Bar className="mt-6 h-7 w-2/3" />
      {["a", "b", "c"].map((key) => (
        <div key={key} className="mt-10">
          <Bar className="h-4 w-1/3" />
          <Bar className="mt-2 h-3 w-2/3" />
          <Bar className="mt-3 h-7 w-96 max-w-full" />
        </div>
      ))}
    </div>
  );
}
