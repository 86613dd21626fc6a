import { visible } from "#lib/format.ts";
import { short, type Word } from "#lib/review/words.ts";
import { Dated } from "../time.tsx";

/** A sentence; what others wrote stands in its own direction and is only ever text. */
export function WordsView({ words }: { words: readonly Word[] }) {
  return words.map((word, at) => {
    const key = `${at}`;
    if (typeof word === "string") return <Dated key={key} text={word} />;
    return <bdi key={key}>{visible(short(word.named))}</bdi>;
  });
}
