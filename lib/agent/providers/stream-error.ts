import { isObject } from "#lib/json-text.ts";
import { countOf, textOf } from "./answer-blocks.ts";
import { type Failure, failure, isOverflow, messageIn } from "./failure.ts";

/** An error in the middle of a stream: only its own words tell what kind it is. */
export function brokeOff(error: unknown): Failure {
  const message = messageIn(error) ?? "an error without words";
  const code = isObject(error) ? (countOf(error.code) ?? countOf(error.status)) : null;
  const text = `${message} ${isObject(error) ? `${textOf(error.code)} ${textOf(error.type)}` : ""}`;
  const overflow = isOverflow(text);
  const lasting = code !== null && code >= 400 && code < 500 && ![408, 429].includes(code);
  return failure(`the server broke off with an error: ${message}`, {
    overflow,
    transient: !overflow && !lasting && !/invalid_request|authentication|permission|not_found/i.test(text),
  });
}
