import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { createServer } from "node:net";
import { hasCode, UserError } from "#lib/errors.ts";

/**
 * Holds a session for this process, until the function it gives is called or the process ends, however it does. Throws a
 * UserError while another process holds it.
 *
 * The lock is a name in the kernel's table of local sockets: it takes no file, and none is left behind that would have to
 * be recognised as stale. Only Linux has such names, each of its network namespaces its own table; elsewhere the sizes
 * that the recorder watches are what tells of a second writer.
 */
export async function lockSession(file: string): Promise<() => void> {
  if (process.platform !== "linux") return () => undefined;
  // Nobody has anything to say to it.
  const server = createServer((socket) => socket.destroy());
  try {
    const name = createHash("sha256").update(realpathSync.native(file)).digest("hex").slice(0, 32);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(`\0mecha-session-${name}`, resolve);
    });
  } catch (error) {
    // A file that is gone cannot be written either, which is said there.
    if (!hasCode(error, "EADDRINUSE")) return () => undefined;
    throw new UserError("bad_input", `${file}: another process is going on with this session`, {
      cause: error,
    });
  }
  // Never what keeps the process alive.
  server.unref();
  return () => server.close();
}
