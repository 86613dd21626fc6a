import { describe, expect, it } from "vitest";
import { settingsFrom } from "#lib/settings.ts";
import { chooseSources, parseSourceSpec } from "#lib/sources/discover.ts";

const around = { osHome: "/home/ada", cwd: "/proj", systemZone: "Europe/Zurich" };

function settings(env: Record<string, string> = {}) {
  const parsed = settingsFrom(env, around);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function problem(env: Record<string, string>) {
  const parsed = settingsFrom(env, around);
  return parsed.ok ? null : parsed.problem;
}

describe("settings", () => {
  it("have defaults under the home folder", () => {
    expect(settings()).toEqual({
      mechaHome: "/home/ada/.mecha",
      sessionDir: "/home/ada/.mecha/sessions",
      triggersDir: "/home/ada/.mecha/triggers",
      outboxDir: "/home/ada/.mecha/outbox",
      learningDir: "/home/ada/.mecha/learning",
      claudeProjects: ["/home/ada/.claude/projects"],
      claudeProjectsElsewhere: ["/home/ada/.config/claude/projects"],
      dataDir: "/home/ada/.mecha/dashboard",
      resultsDirs: ["/proj/results"],
      sourceSpecs: null,
      zone: "Europe/Zurich",
      allowedHosts: [],
      bind: "127.0.0.1",
      port: 3000,
      osHome: "/home/ada",
      cwd: "/proj",
    });
  });

  it("take what the environment says, `~` and relative paths resolved", () => {
    const env = {
      MECHA_HOME: "~/m",
      MECHA_TRIGGERS_DIR: "t",
      MECHA_OUTBOX_DIR: "o",
      MECHA_LEARNING_DIR: "~/l",
      CLAUDE_CONFIG_DIR: "/c",
      MECHA_DATA_DIR: "/d",
      MECHA_RESULTS_DIR: "a:/b: ~/c :",
      MECHA_SOURCES: " mecha , claude-code=/a b/c ",
      MECHA_ZONE: "Asia/Kathmandu",
      MECHA_ALLOWED_HOSTS: "Mecha.lan, box:8080 [::1]",
      MECHA_BIND: "0.0.0.0",
      PORT: "8080",
    };
    expect(settings(env)).toMatchObject({
      mechaHome: "/home/ada/m",
      sessionDir: "/home/ada/m/sessions",
      triggersDir: "/proj/t",
      outboxDir: "/proj/o",
      learningDir: "/home/ada/l",
      claudeProjects: ["/c/projects"],
      claudeProjectsElsewhere: [],
      dataDir: "/d",
      resultsDirs: ["/proj/a", "/b", "/home/ada/c"],
      sourceSpecs: ["mecha", "claude-code=/a b/c"],
      zone: "Asia/Kathmandu",
      allowedHosts: ["mecha.lan", "box:8080", "[::1]"],
      bind: "0.0.0.0",
      port: 8080,
    });
  });

  it("take a session folder that is set, even when it is empty, and treat every other empty variable as unset", () => {
    expect(settings({ MECHA_SESSION_DIR: "" }).sessionDir).toBe("/proj");
    expect(settings({ MECHA_SESSION_DIR: "s" }).sessionDir).toBe("/proj/s");
    const names = [
      "MECHA_HOME",
      "MECHA_TRIGGERS_DIR",
      "CLAUDE_CONFIG_DIR",
      "MECHA_SOURCES",
      "MECHA_ZONE",
      "PORT",
    ];
    expect(settings(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(settings());
  });

  it.each([
    ["/a", ["/a/projects"], []],
    ["/a/", ["/a/projects"], []],
    ["~", ["/home/ada/projects"], []],
    ["rel", ["/proj/rel/projects"], []],
    ["/a,~/b", ["/a/projects", "/home/ada/b/projects"], ["/a,~/b/projects"]],
    [" /a , /b/ ,", ["/a/projects", "/b/projects"], ["/proj/ /a , /b/ ,/projects"]],
    [",", ["/proj/,/projects"], []],
  ])("take CLAUDE_CONFIG_DIR=%j for one folder, or for several with commas", (written, named, elsewhere) => {
    const { claudeProjects, claudeProjectsElsewhere } = settings({ CLAUDE_CONFIG_DIR: written });
    expect([claudeProjects, claudeProjectsElsewhere]).toEqual([named, elsewhere]);
  });

  it("look for Claude Code in the XDG folder too, where it is not said to be elsewhere", () => {
    const elsewhere = (env: Record<string, string>) => settings(env).claudeProjectsElsewhere;
    expect(elsewhere({ XDG_CONFIG_HOME: "/xdg" })).toEqual(["/xdg/claude/projects"]);
    // The specification calls a relative path invalid and to be ignored.
    expect(elsewhere({ XDG_CONFIG_HOME: "xdg" })).toEqual(["/home/ada/.config/claude/projects"]);
    expect(elsewhere({ XDG_CONFIG_HOME: "/xdg", CLAUDE_CONFIG_DIR: "/c" })).toEqual([]);
  });

  it.each([
    [{ MECHA_ZONE: "Mars/Olympus" }, "MECHA_ZONE"],
    [{ PORT: "http" }, "PORT"],
    [{ PORT: "65536" }, "PORT"],
    [{ PORT: "-1" }, "PORT"],
    [{ MECHA_ALLOWED_HOSTS: "ok.lan *" }, "MECHA_ALLOWED_HOSTS"],
    [{ MECHA_ALLOWED_HOSTS: "http://ok.lan/" }, "MECHA_ALLOWED_HOSTS"],
    [{ MECHA_BIND: "not a host" }, "MECHA_BIND"],
  ])("refuse %j in one line that names the variable", (env, name) => {
    const said = problem(env);
    expect(said).toMatch(new RegExp(`^${name}: `));
    expect(said).not.toContain("\n");
  });
});

describe("a source spec", () => {
  it("is a kind, or a kind with a place", () => {
    const one = (spec: string) => parseSourceSpec(spec, settings());
    const is = (kind: string, place: string) => ({ ok: true, value: [{ kind, place, optional: false }] });
    expect(one("mecha")).toEqual(is("mecha", "/home/ada/.mecha/sessions"));
    expect(one("claude-code=~/x=y")).toEqual(is("claude-code", "/home/ada/x=y"));
    expect(one(" mecha = rel ")).toEqual(is("mecha", "/proj/rel"));
  });

  it.each(["", "mecha=", "mecha= ", "Mecha", "opencode=/x", "mecha claude-code", "=x", "mecha=a\0b"])(
    "%j is refused",
    (spec) => {
      const parsed = parseSourceSpec(spec, settings());
      expect(parsed.ok ? null : parsed.problem).toContain(JSON.stringify(spec));
    },
  );
});

describe("the choice of sources", () => {
  const places = (env: Record<string, string>, selected: string[] | null) => {
    const chosen = chooseSources(settings(env), selected);
    return chosen.ok ? chosen.value.map(({ kind, place }) => `${kind}=${place}`) : chosen.problem;
  };

  it("is every kind by default, and what MECHA_SOURCES says where it is set", () => {
    expect(places({}, null)).toEqual([
      "mecha=/home/ada/.mecha/sessions",
      "claude-code=/home/ada/.claude/projects",
      "claude-code=/home/ada/.config/claude/projects",
    ]);
    expect(places({ MECHA_SOURCES: "mecha=/a,mecha=/b" }, null)).toEqual(["mecha=/a", "mecha=/b"]);
  });

  it("takes a bare kind for the places configured for it", () => {
    const env = { MECHA_SOURCES: "mecha=/a,mecha=/b,claude-code" };
    expect(places(env, ["mecha"])).toEqual(["mecha=/a", "mecha=/b"]);
    expect(places(env, ["claude-code"])).toEqual([
      "claude-code=/home/ada/.claude/projects",
      "claude-code=/home/ada/.config/claude/projects",
    ]);
    expect(places({ MECHA_SOURCES: "claude-code" }, ["mecha"])).toEqual(["mecha=/home/ada/.mecha/sessions"]);
  });

  it("lists nothing twice and says what it does not know", () => {
    expect(places({}, ["mecha=/a", "mecha=/a/", "mecha=/b/../a"])).toEqual(["mecha=/a"]);
    expect(places({}, ["mecha", "nope"])).toContain('unknown kind "nope"');
  });
});
