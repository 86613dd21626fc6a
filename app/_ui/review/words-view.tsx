import { Fragment } from "react";
import { visible } from "#lib/format.ts";
import { short, type Word } from "#lib/review/words.ts";

/** A sentence; what others wrote stands in its own direction and is only ever text. */
export function WordsView({ words }: { words: readonly Word[] }) {
  return words.map((word, at) => {
    const key = `${at}`;
    if (typeof word === "string") return <Fragment key={key}>{word}</Fragment>;
    return <bdi key={key}>{visible(short(word.named))}</bdi>;
  });
}
