import { describe, expect, test } from "vitest";
import { seccompFilter } from "#lib/sandbox/seccomp.ts";

const ALLOWED = "allowed";
const PERMISSION = "errno 1";
const NO_SUCH_CALL = "errno 38";

/** The kernel's filter machine, as far as the filter uses it. */
function verdict(filter: Uint8Array, audit: number, call: number, args: number[] = []): string {
  const code = Buffer.from(filter.buffer, filter.byteOffset, filter.byteLength);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(audit, 4);
  for (const [i, arg] of args.entries()) data.writeBigUInt64LE(BigInt(arg), 16 + 8 * i);
  let accumulator = 0;
  for (let at = 0; at < code.length / 8; at += 1) {
    const operation = code.readUInt16LE(8 * at);
    const value = code.readUInt32LE(8 * at + 4);
    if (operation === 0x20) accumulator = data.readUInt32LE(value);
    else if (operation === 0x06) return value === 0x7fff0000 ? ALLOWED : `errno ${value & 0xffff}`;
    else {
      const holds = { 21: accumulator === value, 53: accumulator >= value, 69: (accumulator & value) !== 0 }[
        operation
      ];
      if (holds === undefined) throw new Error(`operation ${operation} at ${at}`);
      at += code.readUInt8(8 * at + (holds ? 2 : 3));
    }
  }
  throw new Error("the filter ran out");
}

const machines = {
  x64: {
    audit: 0xc000003e,
    read: 0,
    execve: 59,
    keyctl: 250,
    clone: 56,
    unshare: 272,
    ioctl: 16,
    fchmodat: 268,
    openat: 257,
    fchmod: 91,
  },
  arm64: {
    audit: 0xc00000b7,
    read: 63,
    execve: 221,
    keyctl: 219,
    clone: 220,
    unshare: 97,
    ioctl: 29,
    fchmodat: 53,
    openat: 56,
    fchmod: 52,
  },
};

describe.each(Object.entries(machines))("the filter on %s", (arch, on) => {
  const filter = seccompFilter(arch) ?? new Uint8Array();
  const cwd = 0xffffff9c;
  test.each([
    ["reading", on.read, [0, 0, 0o4000], ALLOWED],
    ["running a program", on.execve, [], ALLOWED],
    ["a call that is new to us", 460, [], ALLOWED],
    ["key rings", on.keyctl, [], PERMISSION],
    ["a thread", on.clone, [0x3d0f00], ALLOWED],
    ["a user namespace by clone", on.clone, [0x10000011], PERMISSION],
    ["a user namespace by unshare", on.unshare, [0x10000000], PERMISSION],
    ["another namespace", on.unshare, [0x20000], ALLOWED],
    ["clone with flags in memory", 435, [], NO_SUCH_CALL],
    ["rings of requests", 425, [], NO_SUCH_CALL],
    ["the size of a terminal", on.ioctl, [0, 0x5413], ALLOWED],
    ["typing into a terminal", on.ioctl, [0, 0x5412], PERMISSION],
    ["typing, with other bits above", on.ioctl, [0, 2 ** 32 + 0x5412], PERMISSION],
    ["pasting on a console", on.ioctl, [0, 0x541c], PERMISSION],
    ["a plain mode", on.fchmodat, [cwd, 0, 0o2755], ALLOWED],
    ["a mode with set-user-id", on.fchmodat, [cwd, 0, 0o4755], PERMISSION],
    ["the same by descriptor", on.fchmod, [3, 0o4755], PERMISSION],
    ["opening, whatever stands where a mode would", on.openat, [cwd, 0, 0o2000000, 0o4755], ALLOWED],
    ["making a file", on.openat, [cwd, 0, 0o101, 0o644], ALLOWED],
    ["making one with set-user-id", on.openat, [cwd, 0, 0o101, 0o4755], PERMISSION],
    ["making one without a name", on.openat, [cwd, 0, 0o20200002, 0o4755], PERMISSION],
    ["the second numbering of x64", 0x40000000 + on.read, [], NO_SUCH_CALL],
  ])("%s", (_, call, args, expected) => {
    expect(verdict(filter, on.audit, call, args)).toBe(expected);
  });

  test("programs for another machine", () => {
    expect(verdict(filter, 0x40000003, on.read)).toBe(NO_SUCH_CALL);
  });
});

test("a machine that is not known has none", () => {
  expect(seccompFilter("riscv64")).toBeNull();
});
