import { modelName } from "#lib/format.ts";
import type { ModelReview } from "#lib/review/models.ts";
import { short } from "#lib/review/words.ts";
import { DerivedTag } from "../rate.tsx";

/** A model's name as text, and whether its rows were worked out. */
export function ModelName({ model: { model, provenance }, max = 120 }: { model: ModelReview; max?: number }) {
  return (
    <>
      <bdi>{short(modelName(model), max)}</bdi>
      {provenance === "derived" && (
        <>
          {" "}
          <DerivedTag />
        </>
      )}
    </>
  );
}
