/** Where a transcript is read from: the address below which its pages and entries stand, and what names the file there. */
export type TranscriptOrigin = { path: string; params: Readonly<Record<string, string>> };
