import { Bar, Waiting } from "#app/_ui/skeleton.tsx";

export default function Loading() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Health</h1>
      <Waiting what="Reading the transcripts" />
      <div className="mt-6 grid grid-cols-2 gap-6 md:grid-cols-3 xl:grid-cols-6">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <div key={key}>
            <Bar className="h-3 w-28" />
            <Bar className="mt-2 h-8 w-20" />
          </div>
        ))}
      </div>
      <Bar className="mt-10 h-72 w-full" />
      <Bar className="mt-10 h-40 w-full" />
    </div>
  );
}
