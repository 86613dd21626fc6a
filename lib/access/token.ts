import { createHash } from "node:crypto";
import type { Parsed } from "#lib/errors.ts";

/** What a token starts with, so that people, and programs that look for leaked secrets, know one when they see it. */
const PREFIX = "mecha_";
export const SECRET_BYTES = 32;
export const TOKEN_NAME_MAX = 64;

/** The text of a token made of `SECRET_BYTES` random bytes. */
export function tokenText(secret: Buffer): string {
  return `${PREFIX}${secret.toString("base64url")}`;
}

/** 32 bytes are 43 characters of base64url, of which the last holds 4 bits. */
const TOKEN = /^mecha_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Whether a text can be a token at all. Nothing else is worth a look into the database. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256, hex: all that is kept of a token or a cookie. 256 random bits need no slower hash. */
export function secretHash(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A token's name: it stands in a header, in lists and in the audit, so it is plain letters. */
export function parseTokenName(text: string): Parsed<string> {
  if (text.length <= TOKEN_NAME_MAX && NAME.test(text)) return { ok: true, value: text };
  return {
    ok: false,
    problem: `a token's name is 1 to ${TOKEN_NAME_MAX} of a-z, A-Z, 0-9, '.', '_' and '-', and starts with a letter or a digit`,
  };
}

/** The token of an `Authorization` header; null where it holds something else. The scheme's case does not matter. */
export function bearerIn(header: string): string | null {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null;
}
