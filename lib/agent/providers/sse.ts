/** Thrown when one event is larger than anybody has use for. */
export class EventTooLarge extends Error {}

/**
 * The data of each event of an event stream, as text. A line ends with LF, one CR before it is not part of it. Fields
 * other than `data` are passed over, and an event that its end cut off is given too: its reader sees that it is none.
 */
export async function* eventData(
  chunks: AsyncIterable<Uint8Array>,
  eventBytesMax: number,
): AsyncGenerator<string, void> {
  let data: string[] = [];
  for await (const line of linesOf(chunks, eventBytesMax)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  if (data.length > 0) yield data.join("\n");
}

const LF = 10;

async function* linesOf(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<string, void> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      yield textOf([...held, chunk.subarray(from, end)]);
      held = [];
      bytes = 0;
      from = end + 1;
    }
    held.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > bytesMax) throw new EventTooLarge();
  }
  if (bytes > 0) yield textOf(held);
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString().replace(/\r$/, "");
}
