import { describe, expect, test } from "vitest";
import { prefixOf, settingsPlaces, toolchainsOf, visiblePath, within } from "#lib/sandbox/visible.ts";

describe("what a confined command sees", () => {
  test("of /etc: what programs need, no keys and no passwords", () => {
    const names = [
      "alternatives",
      "shadow",
      "passwd",
      "ld.so.cache",
      "ssh",
      "ssl",
      "java-17-openjdk",
      "python3.11",
      "hosts",
      "sudoers",
      "gitconfig",
      "krb5.keytab",
    ];
    const places = settingsPlaces(names);
    for (const shown of [
      "/etc/alternatives",
      "/etc/ld.so.cache",
      "/etc/java-17-openjdk",
      "/etc/python3.11",
      "/etc/ssl/certs",
    ])
      expect(places).toContain(shown);
    for (const hidden of [
      "/etc/shadow",
      "/etc/passwd",
      "/etc/ssh",
      "/etc/ssl",
      "/etc/sudoers",
      "/etc/gitconfig",
      "/etc/krb5.keytab",
      "/etc/hosts",
    ])
      expect(places).not.toContain(hidden);
  });

  test("of a home: toolchains, never the home nor what holds settings", () => {
    const places = toolchainsOf("/home/u").map(({ place }) => place);
    expect(places).toContain("/home/u/.nvm/versions");
    expect(places).toContain("/home/u/.cargo/bin");
    for (const place of [
      "/home/u",
      "/home/u/.cargo",
      "/home/u/.local",
      "/home/u/.local/share",
      "/home/u/.config",
    ])
      expect(places).not.toContain(place);
    expect(toolchainsOf("/")).toEqual([]);
    expect(toolchainsOf("")).toEqual([]);
  });

  test.each([
    ["/opt/node-v20/bin/node", "/opt/node-v20"],
    ["/home/u/.nvm/versions/node/v20/bin/node", "/home/u/.nvm/versions/node/v20"],
    ["/home/u/.local/bin/node", null],
    ["/home/u/bin/node", null],
    ["/home/bin/node", null],
    ["/bin/node", null],
    ["/home/u/node", null],
  ])("the prefix of %s is %s", (executable, prefix) => {
    expect(prefixOf(executable, "/home/u")).toBe(prefix);
  });

  test("PATH: folders that are visible, in the person's order, then the usual ones, each once", () => {
    const searchPath = "/home/u/.pyenv/shims:/home/u/bin:relative::/usr/bin:/usr/../home/u/bin:/opt/x/bin";
    expect(visiblePath(searchPath, ["/usr", "/opt", "/home/u/.pyenv"])).toBe(
      "/home/u/.pyenv/shims:/usr/bin:/opt/x/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin",
    );
  });

  test("a folder is within itself and not within one whose name it begins with", () => {
    expect(within("/a/b", "/a/b")).toBe(true);
    expect(within("/a/b/c", "/a/b")).toBe(true);
    expect(within("/a/bc", "/a/b")).toBe(false);
    expect(within("/a", "/")).toBe(true);
  });
});
