import { visible } from "#lib/format.ts";
import { escapeXml } from "#lib/verdict/svg.ts";
import { short, type Word } from "./words.ts";

/** Text for a page: control and bidirectional characters shown, length bounded, markup escaped. */
export function safe(text: string): string {
  return escapeXml(visible(short(text, 400)));
}

/** A sentence as markup; what others wrote stands apart in its own direction. */
export function wordsHtml(words: readonly Word[]): string {
  return words
    .map((word) => (typeof word === "string" ? escapeXml(word) : `<bdi>${safe(short(word.named))}</bdi>`))
    .join("");
}

/** A part of a page under its heading; nothing where it has no content. */
export function section(title: string, content: string): string {
  if (content === "") return "";
  return `<section><h2>${title}</h2>\n${content}\n</section>`;
}
