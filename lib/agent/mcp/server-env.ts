import type { McpServerConfig } from "#lib/config/config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What any program needs to start and to write in the person's language; nothing of it is a secret. */
const PASSED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];

/**
 * The variables a server gets: a few that every program needs, those that its configuration passes on by name, and
 * those that it sets. A server is somebody else's program, so keys in this process's environment stay here unless named.
 */
export function serverEnv(
  server: Pick<McpServerConfig, "env" | "env_passthrough">,
  env: Env,
): { env: Record<string, string>; missing: string[] } {
  const given: Record<string, string> = {};
  for (const name of [...PASSED, ...server.env_passthrough]) {
    const value = env[name];
    if (value !== undefined) given[name] = value;
  }
  const missing = server.env_passthrough.filter((name) => env[name] === undefined && !(name in server.env));
  return { env: { ...given, ...server.env }, missing };
}
