import { modelName } from "#lib/format.ts";
import type { ModelReview } from "#lib/review/models.ts";
import { short } from "#lib/review/words.ts";
import { DerivedTag } from "../rate.tsx";

/** A model's name as text, and whether its rows were worked out. */
export function ModelName({ model: { model, provenance } }: { model: ModelReview }) {
  return (
    <>
      <bdi>{short(modelName(model), 120)}</bdi>
      {provenance === "derived" && (
        <>
          {" "}
          <DerivedTag />
        </>
      )}
    </>
  );
}
