const BEGINNINGS: readonly (readonly [kind: string, bytes: string])[] = [
  ["PNG image", "\x89PNG"],
  ["JPEG image", "\xff\xd8\xff"],
  ["GIF image", "GIF8"],
  ["PDF document", "%PDF-"],
  ["ZIP archive (or an office document)", "PK\x03\x04"],
  ["gzip archive", "\x1f\x8b"],
  ["Zstandard archive", "\x28\xb5\x2f\xfd"],
  ["xz archive", "\xfd7zXZ\0"],
  ["bzip2 archive", "BZh"],
  ["7-Zip archive", "7z\xbc\xaf"],
  ["program (ELF)", "\x7fELF"],
  ["program (Windows)", "MZ\x90"],
  ["program (macOS)", "\xcf\xfa\xed\xfe"],
  ["WebAssembly module", "\0asm"],
  ["SQLite database", "SQLite format 3\0"],
  ["Ogg audio", "OggS"],
  ["MP3 audio", "ID3"],
  ["RIFF media (WebP, WAV, AVI)", "RIFF"],
  ["Java class", "\xca\xfe\xba\xbe"],
  ["text in UTF-16", "\xff\xfe"],
  ["text in UTF-16", "\xfe\xff"],
];

/**
 * What a file that is no text seems to be, from its first bytes; null: text, as far as they show. A NUL byte or a
 * known beginning makes it binary. Bytes that are not UTF-8 do not: old text files are full of them.
 */
export function binaryKind(start: Uint8Array): string | null {
  const head = Buffer.from(start.subarray(0, 8192)).toString("latin1");
  // A beginning made of letters alone may be the start of a text.
  const known = BEGINNINGS.find(([, bytes]) => head.startsWith(bytes));
  if (known !== undefined && (/[^\x20-\x7e]/.test(known[1]) || head.includes("\0") || known[1] === "%PDF-"))
    return known[0];
  return head.includes("\0") ? "unknown" : null;
}
