import { UserError } from "#lib/errors.ts";

/** A provider cannot be asked without a key, and there is none. Who has just begun may have no key at all. */
export class KeyMissing extends UserError {
  constructor(message: string) {
    super("bad_input", message);
    this.name = "KeyMissing";
  }
}
