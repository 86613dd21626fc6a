import { describe, expect, test } from "vitest";
import { bwrapFeatures, handedOver, workspaceProblem, wrapArgv } from "#lib/sandbox/bwrap.ts";
import { type Confinement, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";

const confinement: Confinement = {
  ...{ workspace: "/w/space", cwd: "/w/space/deep", writable: true, network: false },
  env: { TOKEN: "t0ken", LD_PRELOAD: "/w/space/evil.so" },
};
const visible = {
  ...{
    readOnly: ["/usr", "/root/.pyenv"],
    links: [{ at: "/bin", to: "usr/bin" }],
    path: "/usr/bin",
    env: {},
  },
};
const all = { disableUserns: true, size: true };

function argv(change: Partial<Confinement> = {}, features = all): string[] {
  const limits = {
    ...USUAL_LIMITS,
    timeoutMs: 1000,
    outputBytesMax: 1000,
    fileBytesMax: 5000,
    processesMax: 77,
  };
  return wrapArgv("/usr/bin/bwrap", ["bash", "-lc", "true"], {
    ...{ confinement: { ...confinement, ...change }, limits, visible, features, hold: "limit", filter: "/f" },
  });
}
const line = (...args: Parameters<typeof argv>) => argv(...args).join(" ");

describe("the wrap", () => {
  test("every namespace is its own; the user is nobody of note; nothing is left of privileges", () => {
    for (const part of [
      "--unshare-all --unshare-user",
      "--die-with-parent",
      "--new-session",
      "--cap-drop ALL",
      "--uid 1000 --gid 1000",
    ])
      expect(line()).toContain(part);
  });

  test("the network only where it is allowed, and then with names", () => {
    expect(line()).not.toContain("--share-net");
    expect(line()).not.toContain("resolv.conf");
    expect(line({ network: true })).toContain("--share-net");
    expect(line({ network: true })).toContain("--ro-bind-try /etc/resolv.conf /etc/resolv.conf");
  });

  test("the workspace at its own path, writable or not, and the root read-only after it", () => {
    expect(line()).toContain("--bind /w/space /w/space --remount-ro / --chdir /w/space/deep --");
    expect(line({ writable: false })).toContain("--ro-bind /w/space /w/space --remount-ro /");
    expect(line({ writable: false })).not.toContain(" --bind ");
  });

  test("never the whole of the root, a home or /etc; /proc and /dev cannot be written to", () => {
    for (const place of ["/", "/etc", "/root", "/home", "/srv", "/var", "/run", "/sys"])
      expect(line()).not.toMatch(new RegExp(`bind(-try)? ${place} `));
    expect(line()).toContain("--proc /proc --remount-ro /proc");
    expect(line()).toContain("--remount-ro /dev ");
  });

  test("limits: set inside, by a shell that then becomes the command", () => {
    expect(argv().slice(-6)).toEqual([
      ...[
        "/bin/bash",
        "-c",
        expect.stringMatching(/-c 0.*-f 5 .*-u 77 .*exec "\$@"$/),
        "bash",
        "bash",
        "-lc",
        "true",
      ].slice(1),
    ]);
  });

  test("an older bubblewrap is not given options it does not know", () => {
    const old = line({}, { disableUserns: false, size: false });
    expect(old).not.toMatch(/--disable-userns|--size/);
    expect(line()).toMatch(/--disable-userns.*--size \d+ --tmpfs \/tmp/);
  });

  test("the features are read from what it says of itself", () => {
    expect(bwrapFeatures("    --disable-userns   Disable\n    --size BYTES   Set size")).toEqual(all);
    expect(bwrapFeatures("    --tmpfs DEST")).toEqual({ disableUserns: false, size: false });
  });

  test("a secret variable is no argument, which every user could read; one that changes the wrap itself is no variable of it", () => {
    expect(line()).not.toContain("t0ken");
    expect(line()).toContain("--setenv LD_PRELOAD /w/space/evil.so");
    expect(handedOver(confinement.env)).toEqual({ TOKEN: "t0ken" });
    expect(handedOver({ BASHFUL_TOKEN: "x" })).toEqual({ BASHFUL_TOKEN: "x" });
    const risky = ["BASHOPTS", "BASH_ENV", "ENV", "IFS", "PATH", "GLIBC_TUNABLES", "a-b", "1x", "SHELLOPTS"];
    expect(handedOver(Object.fromEntries(risky.map((name) => [name, "x"])))).toEqual({});
  });
});

describe("a workspace", () => {
  test("that holds the person's home is refused; one in it, or beside it, is fine", () => {
    expect(workspaceProblem("/home/u", "/home/u")).toMatch(/holds your home/);
    expect(workspaceProblem("/mnt/x", "/mnt/x/u")).toMatch(/holds your home/);
    expect(workspaceProblem("/home/u/p", "/home/u")).toBeNull();
    expect(workspaceProblem("/home/u2", "/home/u")).toBeNull();
    expect(workspaceProblem("/home/u", null)).toBeNull();
  });

  test.each(["/", "/etc", "/usr", "/home", "/proc", "/proc/1/cwd", "/dev/shm", "/sys/fs", "/run", "/var"])(
    "%s is refused",
    (folder) => expect(workspaceProblem(folder, "/home/u")).toMatch(/belongs to the system/),
  );
  test.each([
    "/home/u/project",
    "/tmp/x",
    "/srv/app",
    "/usr/src/app",
    "/var/lib/work",
    "/etcetera",
    "/root/p",
  ])("%s is fine", (folder) => expect(workspaceProblem(folder, "/home/u")).toBeNull());
});
