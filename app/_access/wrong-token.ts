import { visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";

/**
 * Says where mecha was started that somebody sent a token which opens nothing, and from which address: nothing of the
 * token. Only of attempts that the limits let through, so that nobody fills a disk with it.
 */
export function sayWrongToken(address: string, now: number): void {
  console.warn(`mecha: ${isoUtc(now)} a wrong token from ${visible(address.slice(0, 100))}`);
}
