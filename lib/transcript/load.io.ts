import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { bytes } from "#lib/format.ts";
import { cutLines, type LineSink, loadLine, type ReadAt } from "./lines.ts";
import { addLine, type Loading, startLoading } from "./loading.ts";
import type { Meta } from "./record.ts";

const BUFFER_BYTES = 1024 * 1024;
const LINE_BYTES_MAX = 64 * 1024 * 1024;
/** No model reads a conversation of this size; a file of any size may stand there all the same. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024;

/** `bytes`: of the file as it was read. */
export type LoadedConversation = Loading & { meta: Meta; bytes: number };

/**
 * The conversation that a session's file holds, for going on with it: messages in order, a rewrite in the place of all
 * before it. Lines that are no record are passed over and counted. Reads the file in pieces, each line at most once.
 * Throws UserError: `not_found` for a file that is gone; `bad_input` for one that is no session, cannot be read, or
 * holds more than a gigabyte.
 */
export function loadConversation(file: string): LoadedConversation {
  const fd = openFile(file);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new UserError("bad_input", `${file}: is no regular file`);
    if (stats.size > FILE_BYTES_MAX)
      throw new UserError("bad_input", `${file}: its ${bytes(stats.size)} are too much to go on with`);
    const { meta, ...rest } = read(fd, stats.size);
    if (meta === null) throw new UserError("bad_input", `${file}: it has no session header`);
    return { meta, ...rest, bytes: stats.size };
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error && "syscall" in error)) throw error;
    throw new UserError("bad_input", `${file}: ${messageOf(error)}`, { cause: error });
  } finally {
    closeSync(fd);
  }
}

function read(fd: number, size: number): Loading {
  const loading = startLoading();
  const readAt: ReadAt = (into, at, length, position) => readSync(fd, into, at, length, position);
  const sink: LineSink = {
    line(buf, start, end) {
      addLine(loading, buf.subarray(start, end));
      return false;
    },
    loads: () => true,
    oversize() {
      loading.skipped += 1;
    },
  };
  const { tail, end } = cutLines(
    readAt,
    { from: 0, to: size },
    Buffer.allocUnsafeSlow(BUFFER_BYTES),
    LINE_BYTES_MAX,
    sink,
  );
  // The last line may lack its end and still be whole.
  if (end - tail > LINE_BYTES_MAX) loading.skipped += 1;
  else if (end > tail) addLine(loading, loadLine(readAt, tail, end));
  return loading;
}

function openFile(file: string): number {
  try {
    // A pipe of that name must not make us wait.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = hasCode(error, "ENOENT") ? "not_found" : "bad_input";
    throw new UserError(code, `${file}: ${messageOf(error)}`, { cause: error });
  }
}
