/** One test of an argument of a system call, on its low 32 bits. */
type Test = { arg: number; bits: number } | { arg: number; equals: number };
type Rule = { calls: readonly (number | undefined)[]; when?: readonly Test[]; errno: number };
type Calls = Readonly<Record<string, number>>;

const EPERM = 1;
const ENOSYS = 38;
const SET_USER_ID = 0o4000;
const MAKES_FILE = 0o100 | 0o20000000;
const NEW_USER_NAMESPACE = 0x10000000;
const TYPE_INTO_TERMINAL = 0x5412;
const TERMINAL_OF_CONSOLE = 0x541c;

const EVERYWHERE: Calls = {
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
  ...{ clone3: 435, openat2: 437, fchmodat2: 452 },
};
const MACHINES: Readonly<Record<string, { audit: number; calls: Calls }>> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      ...EVERYWHERE,
      ...{ open: 2, ioctl: 16, clone: 56, creat: 85, chmod: 90, fchmod: 91, mknod: 133 },
      ...{ add_key: 248, request_key: 249, keyctl: 250, openat: 257, mknodat: 259, fchmodat: 268 },
      ...{ unshare: 272, perf_event_open: 298, open_by_handle_at: 304, bpf: 321, userfaultfd: 323 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      ...EVERYWHERE,
      ...{ ioctl: 29, mknodat: 33, fchmod: 52, fchmodat: 53, openat: 56, unshare: 97 },
      ...{ add_key: 217, request_key: 218, keyctl: 219, clone: 220 },
      ...{ perf_event_open: 241, open_by_handle_at: 265, bpf: 280, userfaultfd: 282 },
    },
  },
};

/**
 * What namespaces do not cover, as a filter of system calls in the kernel's own form: the key rings of the session,
 * programs that take on their owner's identity, typing into a terminal, and doors into the kernel that no task needs.
 * Null for a machine whose calls are not known here.
 *
 * @param arch as Node names it
 */
export function seccompFilter(arch: string): Uint8Array | null {
  const machine = MACHINES[arch];
  if (machine === undefined) return null;
  return Buffer.concat([
    ...[load(ARCH), jump(EQUAL, machine.audit, 1, 0), refuse(ENOSYS)],
    // A second numbering of the same calls on x64, for programs nobody has.
    ...[load(NUMBER), jump(AT_LEAST, 0x40000000, 0, 1), refuse(ENOSYS)],
    ...rulesFor(machine.calls).flatMap(({ calls, when = [], errno }) =>
      calls.flatMap((call) => (call === undefined ? [] : block(call, when, errno))),
    ),
    ALLOW,
  ]);
}

function rulesFor(on: Calls): Rule[] {
  const setsId = (arg: number): Test[] => [{ arg, bits: SET_USER_ID }];
  const makesWithId = (flags: number): Test[] => [{ arg: flags, bits: MAKES_FILE }, ...setsId(flags + 1)];
  return [
    { calls: [on.add_key, on.request_key, on.keyctl], errno: EPERM },
    { calls: [on.bpf, on.perf_event_open, on.userfaultfd, on.open_by_handle_at], errno: EPERM },
    { calls: [on.io_uring_setup, on.io_uring_enter, on.io_uring_register], errno: ENOSYS },
    // Their flags stand in memory, where a filter cannot look; programs fall back to the older calls.
    { calls: [on.clone3, on.openat2], errno: ENOSYS },
    { calls: [on.clone, on.unshare], when: [{ arg: 0, bits: NEW_USER_NAMESPACE }], errno: EPERM },
    { calls: [on.ioctl], when: [{ arg: 1, equals: TYPE_INTO_TERMINAL }], errno: EPERM },
    { calls: [on.ioctl], when: [{ arg: 1, equals: TERMINAL_OF_CONSOLE }], errno: EPERM },
    { calls: [on.chmod, on.fchmod, on.creat, on.mknod], when: setsId(1), errno: EPERM },
    { calls: [on.fchmodat, on.fchmodat2, on.mknodat], when: setsId(2), errno: EPERM },
    { calls: [on.open], when: makesWithId(1), errno: EPERM },
    { calls: [on.openat], when: makesWithId(2), errno: EPERM },
  ];
}

// The fields of the kernel's `struct seccomp_data`, and the few operations of the filter machine that are needed.
const NUMBER = 0;
const ARCH = 4;
const ARGUMENTS = 16;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;

/** Refuses one call when all tests hold, and else goes on behind itself. */
function block(call: number, when: readonly Test[], errno: number): Uint8Array[] {
  const tests = when.flatMap((test, i) => {
    const behind = 2 * (when.length - 1 - i) + 1;
    const at = load(ARGUMENTS + 8 * test.arg);
    return "bits" in test
      ? [at, jump(ANY_BIT, test.bits, 0, behind)]
      : [at, jump(EQUAL, test.equals, 0, behind)];
  });
  return [load(NUMBER), jump(EQUAL, call, 0, tests.length + 1), ...tests, refuse(errno)];
}

const load = (offset: number) => instruction(0x20, 0, 0, offset);
const jump = (operation: number, value: number, ifTrue: number, ifFalse: number) =>
  instruction(operation, ifTrue, ifFalse, value);
const refuse = (errno: number) => instruction(0x06, 0, 0, 0x00050000 | errno);
const ALLOW = instruction(0x06, 0, 0, 0x7fff0000);

function instruction(code: number, ifTrue: number, ifFalse: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
