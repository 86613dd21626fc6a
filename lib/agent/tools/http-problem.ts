import { networkProblem } from "#lib/network-problem.ts";
import { ToolProblem } from "./define-tool.ts";

const WORDS: Readonly<Record<string, string>> = {
  ERR_STREAM_PREMATURE_CLOSE: "the connection broke off",
  HPE_HEADER_OVERFLOW: "its headers are too long",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  Z_DATA_ERROR: "its compressed data is damaged",
  Z_BUF_ERROR: "its compressed data breaks off",
};

/**
 * Why a request failed. The system's own message is not used: it can quote a host's name or a certificate, which a
 * stranger chose.
 */
export function httpProblem(error: unknown, signal: AbortSignal): string {
  if (signal.aborted)
    return nameOf(signal.reason) === "TimeoutError" ? "no whole answer in time" : "the call was aborted";
  if (error instanceof ToolProblem) return error.message;
  // Several addresses were tried; each attempt's failure is in `errors`.
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const known = networkProblem(inner);
  if (known !== null) return known;
  const code = codeOf(inner);
  if (code === null) return "the connection failed";
  if (code.startsWith("HPE_") && WORDS[code] === undefined) return `its answer is not HTTP (${code})`;
  return WORDS[code] ?? `the connection failed (${code})`;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

function nameOf(reason: unknown): string {
  return reason instanceof Error || reason instanceof DOMException ? reason.name : "";
}
