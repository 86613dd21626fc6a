import type { FormField } from "#app/experiment-form.ts";

/** How a field of the form gets at what belongs to it. */
export type FieldParts = {
  textOf(field: FormField): string;
  problemOf(field: FormField): string | null;
};
