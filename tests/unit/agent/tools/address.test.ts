import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIpv4, parseIpv6, refusedAddress } from "#lib/agent/tools/address.ts";

describe("an address that may not be reached", () => {
  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "203.0.113.5",
    "168.63.129.16",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "[::1]",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::FFFF:10.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "2002:7f00:0001::",
    "2002:c0a8:0101::1",
    "2001::1",
    "2001:db8::1",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "fdff::1",
    "ff02::1",
    "100::1",
    "4000::1",
    "3fff::1",
    "",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "1::2::3",
    "12345::",
    "::1.2.3",
    "g::1",
  ])("%s", (address) => expect(refusedAddress(address)).not.toBeNull());

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "168.63.129.15",
    "168.63.129.17",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:0808:0808::1",
  ])("is not %s", (address) => expect(refusedAddress(address)).toBeNull());

  it("is what the ranges of Node's own block list say, over all of IPv4", () => {
    const list = new BlockList();
    for (const [start, bits] of [
      ["0.0.0.0", 8],
      ["10.0.0.0", 8],
      ["100.64.0.0", 10],
      ["127.0.0.0", 8],
      ["169.254.0.0", 16],
      ["172.16.0.0", 12],
      ["192.0.0.0", 24],
      ["192.0.2.0", 24],
      ["192.88.99.0", 24],
      ["192.168.0.0", 16],
      ["198.18.0.0", 15],
      ["198.51.100.0", 24],
      ["203.0.113.0", 24],
      ["224.0.0.0", 3],
    ] as const)
      list.addSubnet(start, bits);
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        fc.pre(address !== "168.63.129.16");
        expect(refusedAddress(address) !== null).toBe(list.check(address));
        expect(refusedAddress(`::ffff:${address}`) !== null).toBe(list.check(address));
      }),
      { numRuns: 2000 },
    );
  });

  it("reads what Node reads as an address, and nothing else", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(parseIpv6(address)).toHaveLength(8);
      }),
      { numRuns: 2000 },
    );
    const odd = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/));
    fc.assert(
      fc.property(odd, (address) => {
        expect(parseIpv4(address) !== null && !/^0\d|\.0\d/.test(address)).toBe(isIP(address) === 4);
        if (!/[%[\]]/.test(address)) expect(parseIpv6(address) !== null).toBe(isIP(address) === 6);
      }),
      { numRuns: 5000 },
    );
  });
});
