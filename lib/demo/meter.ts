import type { Usage } from "#lib/transcript/record.ts";
import type { ModelName } from "./cells.ts";

/** Dollars per token; the local model has no price, so a total over both is a lower bound. */
export const PROVIDERS: Record<ModelName, { name: string; price: { input: number; output: number } | null }> =
  {
    "heron-70b": { name: "gateway", price: { input: 3e-6, output: 15e-6 } },
    "wren-14b": { name: "local", price: null },
  };

/** System prompt and tool descriptions, which each request carries. */
const STANDING_TOKENS = 5_200;
const CHARACTERS_PER_TOKEN = 3.6;

/** Estimates the tokens of one run from the size of what was said. */
export class Meter {
  readonly #price;
  readonly #usage: Usage = {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  #known = 0;
  #fresh = STANDING_TOKENS;

  constructor(model: ModelName) {
    this.#price = PROVIDERS[model].price;
  }

  /** Something was said: by the model it is output, and from the next request on it is input too. */
  add(role: "user" | "assistant", characters: number): void {
    const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
    if (role === "assistant") this.#usage.output_tokens += tokens;
    this.#fresh += tokens;
  }

  /** The whole conversation is sent; the priced provider keeps what it has seen. */
  request(): void {
    if (this.#price === null) this.#usage.input_tokens += this.#known + this.#fresh;
    else {
      this.#usage.input_tokens += this.#fresh;
      this.#usage.cache_read_input_tokens += this.#known;
    }
    this.#known += this.#fresh;
    this.#fresh = 0;
  }

  /** A summary took the place of the conversation so far. */
  shrink(): void {
    this.#usage.output_tokens += 240;
    this.#known = 0;
    this.#fresh = STANDING_TOKENS + 400;
  }

  total(): { usage: Usage; cost: number | null } {
    const usage = { ...this.#usage };
    if (this.#price === null) return { usage, cost: null };
    const { input, output } = this.#price;
    const cost =
      usage.input_tokens * input + usage.cache_read_input_tokens * input * 0.1 + usage.output_tokens * output;
    return { usage, cost: Math.round(cost * 1e6) / 1e6 };
  }
}
