import { Bar, Waiting } from "../skeleton.tsx";

/** In place of a review that is on its way. */
export function ReviewWaiting() {
  return (
    <div>
      <h1 className="font-semibold text-lg">Review</h1>
      <Waiting what="Reading the week and the eight before it" />
      <Bar className="mt-6 h-4 w-2/3" />
      <Bar className="mt-2 h-4 w-1/2" />
      <Bar className="mt-2 h-4 w-3/5" />
      <div className="mt-8 grid gap-6 md:grid-cols-3">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Bar key={key} className="h-28 w-full" />
        ))}
      </div>
    </div>
  );
}
