import { ToolProblem } from "./define-tool.ts";

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  EPERM: "not permitted",
  ENOTDIR: "not a folder, or it was swapped while it was being opened",
  EISDIR: "it is a folder",
  ELOOP: "it was swapped for a link while it was being opened",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EFBIG: "the file would be larger than this system allows",
  ENXIO: "it is a socket or a device that cannot be opened",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk failed to read or write",
  EINVAL: "it was swapped while it was being opened, or the name is not allowed here",
};

/**
 * The failure of a system call in words for the model, without the address it was made by, which may be one under
 * `/proc`. Anything else is handed back as it is.
 */
export function systemProblem(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  return new ToolProblem(`${shown}: ${WORDS[error.code] ?? error.code}`, { cause: error });
}
