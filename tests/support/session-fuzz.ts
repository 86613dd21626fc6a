import type { Prng } from "./prng.ts";

// Session files that are wrong in every way that was thought of: records with odd values in odd order, put together
// with odd line ends, then bytes changed, cut and repeated.

/** A file made from a seed. */
export function fuzzFile(random: Prng): Buffer {
  const parts: Buffer[] = [];
  if (random.chance(0.05)) parts.push(Buffer.from([0xef, 0xbb, 0xbf]));
  while (random.chance(0.1)) parts.push(Buffer.from(random.pick(["\n", "\r\n", "  \n", "\t\n"])));
  parts.push(Buffer.from(random.chance(0.95) ? header(random) : record(random)), lineEnd(random));
  const records = random.below(14);
  for (let i = 0; i < records; i++) {
    const line = random.chance(0.15) ? glued(random) : record(random);
    parts.push(mutateSome(Buffer.from(line), random, 0.12));
    if (i < records - 1 || random.chance(0.8)) parts.push(lineEnd(random));
  }
  return mutateSome(Buffer.concat(parts), random, 0.15);
}

function header(random: Prng): string {
  const members = meta(random);
  if (random.chance(0.25)) return writeObject(members, random);
  return `{${members.map(([key, value]) => `"${key}":${value}`).join(",")}}`;
}

/** Where lines end, and where they should and do not. */
function lineEnd(random: Prng): Buffer {
  if (random.chance(0.8)) return Buffer.from("\n");
  return Buffer.from(
    random.pick(["\r\n", "", "", " ", "\t", "\r", "\n\n", "\n \n", "\v\n", "\0\n", ",\n", "}\n", "x\n"]),
  );
}

type Member = [string, string];

function record(random: Prng): string {
  const kind = random.below(20);
  if (kind < 7) return writeObject(outcome(random), random);
  if (kind < 10) return writeObject(config(random), random);
  if (kind < 11) return writeObject(meta(random), random);
  if (kind < 16) return message(random);
  if (kind < 17) return '{"record":"taint","private":true,"untrusted":false}';
  if (kind < 18) return `{"record":"summary","usage":${usage(random)},"turns":${random.below(9)}}`;
  return random.pick([
    '{"record":"rewrite","messages":[{"role":"user","content":[]}]}',
    '{"record":"nonsense"}',
    "[]",
    '"outcome"',
    "null",
    "17",
    "{}",
    '{"record":"outcome"',
    '{"record":7}',
    '{"record":"Outcome"}',
    '{"\\u0072ecord":"outcome","turns":5}',
    ' { "record" : "message" , "content" : [ ] }',
    '{"record":"message","record":"outcome"}',
    '{"a":1,"record":"message","record":"outcome"}',
    "{{{{",
    "}{",
  ]);
}

/** Two to five objects on one line, mostly behind one that is not read; the last of them may be torn. */
function glued(random: Prng): string {
  const objects = [random.chance(0.8) ? unread(random) : anyObject(random)];
  const count = 2 + random.below(4);
  while (objects.length < count) objects.push(anyObject(random));
  const last = objects.at(-1) ?? "";
  if (random.chance(0.2)) objects[count - 1] = last.slice(0, random.below(last.length));
  return objects.reduce((line, object) => line + random.pick(SEAMS) + object);
}

const SEAMS = [
  "",
  "",
  "",
  "",
  "",
  " ",
  "\t",
  "\r",
  "  \t ",
  "\f",
  "\v",
  "{}",
  " { } ",
  ",",
  "x",
  "\0",
  "]",
  "}",
];

function anyObject(random: Prng): string {
  if (random.chance(0.3)) return unread(random);
  if (random.chance(0.1)) return record(random);
  const members = random.pick([outcome, outcome, config, meta])(random);
  return writeObject(random.chance(0.4) ? withTagAt(members, random.below(members.length)) : members, random);
}

/** A message, rewrite, taint or summary as it is mostly written: its tag first. */
function unread(random: Prng): string {
  const members: Member[] = random.pick([
    [
      ["record", '"message"'],
      ["role", '"user"'],
      ["content", content(random)],
    ],
    [
      ["record", '"rewrite"'],
      ["messages", `[{"role":"user","content":${content(random)}}]`],
    ],
    [
      ["record", '"taint"'],
      ["private", "true"],
      ["untrusted", "false"],
    ],
    [
      ["record", '"summary"'],
      ["usage", usage(random)],
      ["turns", "3"],
    ],
  ]);
  return writeObject(random.chance(0.1) ? withTagAt(members, random.below(members.length)) : members, random);
}

function withTagAt([tag, ...others]: Member[], place: number): Member[] {
  return tag === undefined ? others : others.toSpliced(place, 0, tag);
}

/** Members in an order, mostly as written, with keys given twice, left out or added now and then. */
function writeObject(members: Member[], random: Prng): string {
  let list = members;
  if (random.chance(0.1)) list = shuffled(list, random);
  if (random.chance(0.15)) list = list.filter(() => random.chance(0.7));
  if (random.chance(0.04)) list = [...list, random.pick(list.length > 0 ? list : members)];
  if (random.chance(0.06))
    list = [...list, ["later", random.pick(["1", "{}", '{"a":[1]}', '"}{"', '[{"record":"outcome"}]'])]];
  const [colon, comma] = random.chance(0.1) ? [": ", ", "] : [":", ","];
  const body = list.map(([key, value]) => `"${key}"${colon}${value}`).join(comma);
  return random.chance(0.03) ? `  {\t${body} } ` : `{${body}}`;
}

function shuffled<T>(items: readonly T[], random: Prng): T[] {
  const left = [...items];
  const out: T[] = [];
  while (left.length > 0) out.push(...left.splice(random.below(left.length), 1));
  return out;
}

function outcome(random: Prng): Member[] {
  const members: Member[] = [
    ["record", '"outcome"'],
    ["turns", count(random)],
    ["usage", usage(random)],
    ["cost_usd", good(random, COSTS, ["1e999", "007", '"1"', "1."])],
    ["usage_complete", truth(random)],
    ["stop_cause", good(random, CAUSES, ['"end_turn"', "3"])],
    ["exhausted", truth(random)],
    ["ended_on_failed_call", truth(random)],
    ["tool_calls", count(random)],
    ["tool_errors", count(random)],
    ["tool_denied", count(random)],
    ["tool_staged", count(random)],
    ["malformed_tool_args", count(random)],
    ["blocked_sends", count(random)],
    ["compactions", count(random)],
    [
      "taint",
      random.chance(0.97)
        ? `{"private":${truth(random)},"untrusted":${truth(random)}}`
        : random.pick(["{}", "null", "[]"]),
    ],
  ];
  return members.filter(([key]) => (key !== "cost_usd" && key !== "stop_cause") || random.chance(0.6));
}

const COSTS = ["0.25", "1", "0", "null", "0.30000000000000004", "12.5e-3", "-1"];
const CAUSES = ['"completed"', '"max_turns"', '"loop"', '"no_output"', "null"];

/** Mostly a value that passes. */
function good(random: Prng, fine: readonly string[], bad: readonly string[]): string {
  return random.pick(random.chance(0.97) ? fine : bad);
}

function count(random: Prng): string {
  if (random.chance(0.997)) return String(random.below(random.pick([2, 10, 5000])));
  return random.pick([
    "3.0",
    "1e3",
    "-1",
    "-0",
    "4294967295",
    "4294967296",
    "999999999",
    "1000000000",
    "18446744073709551615",
    "18446744073709551616",
    "9007199254740993",
    "99999999999999999999999999",
    "null",
    "true",
    '"3"',
    "01",
    "[]",
  ]);
}

function usage(random: Prng): string {
  if (random.chance(0.02))
    return random.pick(["null", "{}", "[]", '{"input_tokens":1,"output_tokens":2}', "7"]);
  const members: Member[] = [
    ["input_tokens", count(random)],
    ["output_tokens", count(random)],
    ["cache_creation_input_tokens", count(random)],
    ["cache_read_input_tokens", count(random)],
  ];
  return writeObject(members, random);
}

function truth(random: Prng): string {
  return random.chance(0.997) ? random.pick(["true", "false"]) : random.pick(["null", "0", '"true"', "True"]);
}

function meta(random: Prng): Member[] {
  const created = random.chance(0.96)
    ? `2026-0${1 + random.below(9)}-1${random.below(10)}T0${random.below(10)}:15:00${random.pick(["", ".5", ".120", ".000", ".123456789"])}${random.pick(["Z", "Z", "z", "+05:45", "-23:59"])}`
    : random.pick([
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2024-02-29T23:59:60Z",
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "0050-06-01t12:00:00Z",
        "2026-08-05",
        "2026-08-05T24:00:00.000Z",
        "yesterday",
      ]);
  return [
    ["record", '"meta"'],
    ["id", random.pick(IDS.slice(0, random.chance(0.97) ? 4 : 5))],
    ["created_at", `"${created}"`],
    ["provider", word(random)],
    ["model", word(random)],
    ["workspace", '"/w"'],
    ["title", random.pick(TITLES.slice(0, random.chance(0.9) ? 3 : 4))],
  ].filter(([key]) => key !== "title" || random.chance(0.3)) as Member[];
}

const IDS = ['"20260805T091500-3f2a1b7c"', '"../../etc/passwd"', '""', '"a/b\\u0000"', "7"];
const TITLES = ['"t"', "null", '"<b>\\u202e"', "1"];

const PROMPTS = ["null", '"You are \\"it\\"\\n{}{"', '"plain"', '"\\\\"', '"caf\u00e9 \ud83d\ude00"'];

function config(random: Prng): Member[] {
  const members: Member[] = [
    ["record", '"config"'],
    ["mecha_version", '"0.1.11"'],
    ["provider", word(random)],
    ["model", word(random)],
    ["workspace", '"/w"'],
    ["system_prompt", good(random, PROMPTS, ["{}"])],
    ["tools", good(random, ["[]", '["fs_read","shell"]', '["a","b]"]'], ["[1]", "null"])],
    ["effort", good(random, ['"high"', '"low"', "null"], ['"turbo"'])],
    ["temperature", good(random, ["null", "0.7", "1"], ['"hot"'])],
    ["seed", good(random, ["7", "null"], ["1.5"])],
    ["thinking", truth(random)],
    ["cache_prompt", truth(random)],
    ["max_tokens", count(random)],
    ["max_turns", count(random)],
    ["max_output_tokens", random.pick(["null", "100"])],
    ["max_cost_usd", random.pick(["null", "1.5"])],
    ["compact_at_tokens", random.pick(["null", "9000"])],
    ["compact_keep_recent", count(random)],
    ["permission_mode", good(random, ['"ask"', '"read-only"'], ['"never"'])],
    ["trifecta", random.pick(['"block"', '"ask"', '"allow"'])],
    ["sandbox", random.pick(['"none"', '"bwrap"', '"other"'])],
    ["sandbox_network", truth(random)],
  ];
  return members;
}

function word(random: Prng): string {
  const words = ['"local"', '"cloud"', '"qwen3-moe"', '""', '"m\\u00e9cha"', '"\ufffd"'];
  return random.chance(0.995) ? random.pick(words) : "null";
}

function content(random: Prng): string {
  const inner = random.pick([
    "plain words",
    "} {",
    "}{",
    "} { ",
    "caf\u00e9",
    '\\"record\\":\\"outcome\\"',
    '{\\"record\\":\\"outcome\\"}',
    '}{\\"record\\":\\"outcome\\"}',
    '}{\\"record\\":\\"outcome\\"}{',
    "]}",
    "\\\\",
    "\\n\\u0000",
    "\u00e9\u4e16\ud83d\ude00",
    "x".repeat(random.below(400)),
  ]);
  return `[{"type":"text","text":"${inner}"}]`;
}

function message(random: Prng): string {
  const text = content(random);
  return random.pick([
    `{"record":"message","role":"user","content":${text}}`,
    `{"record":"message","role":"assistant","content":${text}}`,
    `{"record":"message","content":${text},"role":"user"}`,
    `{"record": "message", "role": "user", "content": ${text}}`,
    `{"role":"user","record":"message","content":${text}}`,
    `{"record":"message","role":"user","content":[{"type":"tool_use","id":"1","name":"n","input":{"record":"outcome"}}]}`,
  ]);
}

// ---- bytes -------------------------------------------------------------------------------------------------------

function mutateSome(bytes: Buffer, random: Prng, share: number): Buffer {
  let out = bytes;
  while (random.chance(share)) out = mutate(out, random);
  return out;
}

const ODD = [0x00, 0x0a, 0x0d, 0x20, 0x22, 0x5c, 0x7b, 0x7d, 0x2c, 0x3a, 0x30, 0x2e, 0x80, 0xc3, 0xff, 0xf0];

function mutate(bytes: Buffer, random: Prng): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(60));
  switch (random.below(7)) {
    case 0: {
      const out = Buffer.from(bytes);
      if (at < out.length) out[at] = (out[at] ?? 0) ^ (1 << random.below(8));
      return out;
    }
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.pick(ODD)]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    case 4:
      return bytes.subarray(0, at);
    case 5:
      return Buffer.from(bytes.toString("latin1").replace("\n", random.pick(["", "\r\n", " "])), "latin1");
    default: {
      const out = Buffer.from(bytes);
      if (at < out.length) out[at] = random.pick(ODD);
      return out;
    }
  }
}
