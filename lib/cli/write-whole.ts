import { writeSync } from "node:fs";
import { hasCode } from "#lib/errors.ts";

const RETRY_MS = 5;
const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes all of a text to a descriptor before it returns, so that a process may end at any time after. A pipe that
 * somebody else made non-blocking says "try again" while it is full. Throws what the system says, EPIPE included.
 */
export function writeWhole(fd: number, text: string): void {
  const data = Buffer.from(text);
  let done = 0;
  while (done < data.length) {
    try {
      done += writeSync(fd, data, done);
    } catch (error) {
      if (!hasCode(error, "EAGAIN")) throw error;
      Atomics.wait(never, 0, 0, RETRY_MS);
    }
  }
}
