/**
 * Why an address may not be reached by a tool that fetches for a model; null: it is an ordinary address of the
 * internet. Text that is no address is refused as well. Ranges: the special-purpose registries for IPv4 and IPv6
 * (RFC 6890) and the addresses at which clouds serve credentials to their machines.
 */
export function refusedAddress(address: string): string | null {
  const v4 = parseIpv4(address);
  if (v4 !== null) return refusedIpv4(v4);
  const v6 = parseIpv6(address);
  return v6 === null ? "not an IP address" : refusedIpv6(v6);
}

const IPV4: readonly (readonly [range: string, kind: string])[] = [
  ["0.0.0.0/8", "an unspecified address"],
  ["10.0.0.0/8", "a private address"],
  ["100.64.0.0/10", "a carrier's shared address"],
  ["127.0.0.0/8", "a loopback address"],
  // Holds 169.254.169.254, where clouds serve credentials.
  ["169.254.0.0/16", "a link-local address"],
  ["172.16.0.0/12", "a private address"],
  ["192.0.0.0/24", "a reserved address"],
  ["192.0.2.0/24", "a documentation address"],
  ["192.88.99.0/24", "a reserved address"],
  ["192.168.0.0/16", "a private address"],
  ["198.18.0.0/15", "a test network's address"],
  ["198.51.100.0/24", "a documentation address"],
  ["203.0.113.0/24", "a documentation address"],
  // The host behind every machine of one large cloud, public by its number only.
  ["168.63.129.16/32", "a cloud's metadata address"],
  ["224.0.0.0/4", "a multicast address"],
  ["240.0.0.0/4", "a reserved address"],
];

/** Inside 2000::/3, the only part of IPv6 that is the internet's. */
const IPV6_RESERVED: readonly (readonly [start: readonly number[], bits: number])[] = [
  [[0x2001, 0x0000], 23],
  [[0x2001, 0x0db8], 32],
  [[0x3fff], 20],
];

function refusedIpv4(address: number): string | null {
  for (const [range, kind] of IPV4) {
    const [base = "", bits = "32"] = range.split("/");
    const size = 2 ** (32 - Number(bits));
    const start = parseIpv4(base) ?? 0;
    if (address >= start && address < start + size) return kind;
  }
  return null;
}

function refusedIpv6(groups: readonly number[]): string | null {
  const inner = embeddedIpv4(groups);
  if (inner !== null) return refusedIpv4(inner);
  const first = groups[0] ?? 0;
  if (groups.slice(0, 7).every((group) => group === 0))
    return groups[7] === 1 ? "a loopback address" : "an unspecified address";
  if ((first & 0xffc0) === 0xfe80) return "a link-local address";
  if ((first & 0xfe00) === 0xfc00) return "a private address";
  if ((first & 0xff00) === 0xff00) return "a multicast address";
  if ((first & 0xe000) !== 0x2000) return "a reserved address";
  const reserved = IPV6_RESERVED.some(([start, bits]) => startsWith(groups, start, bits));
  return reserved ? "a reserved address" : null;
}

/** The IPv4 address that an IPv6 one only wraps: mapped, compatible, translated (NAT64) and 6to4. */
function embeddedIpv4(groups: readonly number[]): number | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const low = g * 65_536 + h;
  const zeros = a === 0 && b === 0 && c === 0 && d === 0;
  if (zeros && e === 0 && f === 0xffff) return low;
  if (zeros && e === 0xffff && f === 0) return low;
  if (zeros && e === 0 && f === 0 && low > 0xffff) return low;
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return low;
  return a === 0x2002 ? b * 65_536 + c : null;
}

function startsWith(groups: readonly number[], start: readonly number[], bits: number): boolean {
  const value = (part: readonly number[]) => ((part[0] ?? 0) * 65_536 + (part[1] ?? 0)) >>> 0;
  const shift = 32 - bits;
  return value(groups) >>> shift === value(start) >>> shift;
}

/** Four decimal numbers and nothing else, as the URL parser and the resolver write them. */
export function parseIpv4(text: string): number | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** Eight groups; brackets and a zone are taken off first. */
export function parseIpv6(text: string): number[] | null {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const dotted = /^(.*:)([\d.]+)$/.exec(bare);
  const tail = dotted?.[2]?.includes(".") ? parseIpv4(dotted[2]) : null;
  if (bare.includes(".") && tail === null) return null;
  const plain =
    tail === null ? bare : `${dotted?.[1]}${(tail >>> 16).toString(16)}:${(tail & 0xffff).toString(16)}`;
  const halves = plain.split("::");
  if (halves.length > 2) return null;
  const [left = [], right = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...left, ...new Array<string>(missing).fill("0"), ...right];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16));
}
