/** Thrown when one event is larger than anybody has use for. */
export class EventTooLarge extends Error {}

/**
 * The data of each event of an event stream, as text. A line ends with LF, one CR before it is not part of it; a byte
 * order mark at the start is passed over. Fields other than `data` are too, and so is an event without data, which only
 * keeps the connection. An event that its end cut off is given: its reader sees that it is none.
 *
 * Two things that are no events are given like ones: an error in a field of that name, as llama.cpp sent it until late in
 * 2025, and a body that is JSON though it was called a stream.
 */
export async function* eventData(
  chunks: AsyncIterable<Uint8Array>,
  eventBytesMax: number,
): AsyncGenerator<string, void> {
  let data: string[] = [];
  let units = 0;
  let body: boolean | null = null;
  for await (const line of linesOf(chunks, eventBytesMax)) {
    if (line !== "") body ??= line.startsWith("{");
    if (line === "" && body !== true) {
      if (said(data)) yield data.join("\n");
      data = [];
      units = 0;
      continue;
    }
    const text = body === true ? line : dataOf(line);
    if (text === null) continue;
    data.push(text);
    // The line itself counts too: an event may be of empty ones without end.
    units += line.length + 1;
    if (units > eventBytesMax) throw new EventTooLarge();
  }
  if (said(data)) yield data.join("\n");
}

function said(data: readonly string[]): boolean {
  return data.some((text) => text.trim() !== "");
}

function dataOf(line: string): string | null {
  if (line.startsWith("data:")) return line.slice(line[5] === " " ? 6 : 5);
  return line.startsWith("error:") ? `{"error":${line.slice("error:".length)}}` : null;
}

const LF = 10;

async function* linesOf(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<string, void> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let first = true;
  const text = (pieces: readonly Uint8Array[]): string => {
    const line = textOf(pieces);
    const marked = first && line.startsWith("\uFEFF");
    first = false;
    return marked ? line.slice(1) : line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      yield text([...held, chunk.subarray(from, end)]);
      held = [];
      bytes = 0;
      from = end + 1;
    }
    held.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > bytesMax) throw new EventTooLarge();
  }
  if (bytes > 0) yield text(held);
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString().replace(/\r$/, "");
}
