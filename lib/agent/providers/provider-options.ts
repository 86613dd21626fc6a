import type { Prices } from "#lib/agent/model.ts";

/** What a model behind HTTP is made of. */
export type HttpProvider = {
  /** Its name in the configuration. */
  provider: string;
  model: string;
  /** With its version, and without a slash at its end. */
  baseUrl: string;
  key: string | null;
  /** Can it be sent images? */
  vision: boolean;
  prices: Prices | null;
  contextWindow: number | null;
};
