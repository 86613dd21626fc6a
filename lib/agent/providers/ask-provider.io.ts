import type { AskWatch, Model, ModelAnswer, ModelRequest } from "#lib/agent/model.ts";
import { messageOf } from "#lib/errors.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { mendedValue } from "#lib/utf8.ts";
import { type AnswerReader, blocksOf } from "./answer-blocks.ts";
import { failure, oneLine, ProviderFailure } from "./failure.ts";
import { type Post, postForEvents } from "./post.io.ts";
import type { SdkCall, SdkModel } from "./sdk-prompt.ts";

/** One dialect: what a request looks like in it, and how an answer is read. */
export type Dialect = {
  /** A model of the AI SDK that sends its requests through `fetch`. */
  sdkModel(fetch: typeof globalThis.fetch): SdkModel;
  call(request: ModelRequest): SdkCall;
  reader(): AnswerReader;
  baseUrl: string;
  /** Texts that no message may show. */
  secrets: readonly string[];
};

/** An answer takes as long as it takes, but not for ever. */
const TOTAL_MS = 3_600_000;

/** One request, without a retry. Rejects only with what the watcher throws. */
export async function askProvider(
  dialect: Dialect,
  model: Pick<Model, "provider" | "model">,
  request: ModelRequest,
  watch: AskWatch,
): Promise<ModelAnswer> {
  const done = new AbortController();
  const answering = answerTo(dialect, model, request, AbortSignal.any([watch.signal, done.signal]));
  try {
    for (;;) {
      const step = await answering.next();
      if (step.done) return step.value;
      watch.onText(step.value);
    }
  } finally {
    done.abort();
  }
}

/** Gives the texts of the answer as they come, and at its end the answer. */
async function* answerTo(
  dialect: Dialect,
  model: Pick<Model, "provider" | "model">,
  request: ModelRequest,
  stop: AbortSignal,
): AsyncGenerator<string, ModelAnswer> {
  const reader = dialect.reader();
  if (stop.aborted) return aborted(reader);
  const late = AbortSignal.timeout(TOTAL_MS);
  try {
    const post = await requestOf(dialect.sdkModel, mendedValue(dialect.call(request)));
    for await (const event of postForEvents(post, AbortSignal.any([stop, late]))) {
      // What the caller no longer wants is not told, even where it has arrived.
      if (stop.aborted) return aborted(reader);
      const taken = reader.take(event);
      if (typeof taken !== "string") throw new ProviderFailure(taken);
      if (taken !== "") yield taken;
      if (reader.finished()) break;
    }
    return replyOf(reader, model);
  } catch (error) {
    if (stop.aborted) return aborted(reader);
    return failed(late.aborted ? TOO_LONG : error, reader, dialect);
  }
}

const TOO_LONG = new ProviderFailure(failure("the answer took longer than an hour"));

function replyOf(reader: AnswerReader, { provider, model }: Pick<Model, "provider" | "model">): ModelAnswer {
  const { blocks, stop, usage, missing } = reader.draft();
  if (missing !== null) throw new ProviderFailure(failure(missing, { transient: true }));
  return { kind: "reply", ...blocksOf(blocks), stop, usage, answeredBy: { provider, model } };
}

/** Calls are left out: none of them was answered, and whether they are whole is not known. */
function aborted(reader: AnswerReader): ModelAnswer {
  const words = reader.draft().blocks.filter(({ type }) => type !== "call");
  return { kind: "aborted", content: blocksOf(words).content, usage: wholeUsage(reader) };
}

/** What is told at the start of an answer is less than the answer has used. */
function wholeUsage(reader: AnswerReader): Usage | null {
  const { usage, missing } = reader.draft();
  return missing === null ? usage : null;
}

function failed(error: unknown, reader: AnswerReader, { baseUrl, secrets }: Dialect): ModelAnswer {
  const what =
    error instanceof ProviderFailure
      ? error.failure
      : failure(`the request could not be made: ${messageOf(error)}`);
  const problem = `${new URL(baseUrl).host}: ${oneLine(what.problem, secrets)}`;
  return { ...what, problem, usage: wholeUsage(reader) ?? what.usage };
}

/** Ends the SDK's work once it has written its request. */
class Written extends Error {
  readonly post: Post;
  constructor(post: Post) {
    super("the request is written");
    this.post = post;
  }
}

/**
 * The request that the AI SDK writes for a call. Sending it and reading the answer is done here: the SDK would lose
 * argument text that is no JSON, refuse answers that can be understood, and retry without being counted.
 */
async function requestOf(sdkModel: Dialect["sdkModel"], call: SdkCall): Promise<Post> {
  const model = sdkModel((input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    throw new Written({ url: String(input), headers, body: String(init?.body) });
  });
  try {
    await model.doStream(call);
  } catch (error) {
    if (error instanceof Written) return error.post;
    throw error;
  }
  throw new Error("the AI SDK sent nothing");
}
