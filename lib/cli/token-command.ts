import type { Command } from "commander";
import { addBasics, type Does, required } from "./command-parts.ts";
import type { JsonFlag, TokenListFlags } from "./flags.ts";

/** `mecha token`: who may use a dashboard that others can reach. */
export function addToken(program: Command, does: Does): void {
  const token = program
    .command("token")
    .description("add, list, revoke: who may use a dashboard that others can reach");
  addBasics(token);
  const add = token
    .command("add")
    .argument("<name>", "whose it is: up to 64 letters, digits and . _ -", required)
    .description("make a token, and print it this once")
    .option("--json", "print JSON")
    .action((name: string, flags: JsonFlag) =>
      does(async (io) => (await import("./token-add.ts")).tokenAdd(io, name, flags)),
    );
  addBasics(add).addHelpText("after", ADD_HELP);
  const list = token
    .command("list")
    .description("list the tokens: when each was made and last used; never the token itself")
    .option("--zone <zone>", "time zone of dates, such as Europe/Zurich", required)
    .option("--json", "print JSON")
    .action((flags: TokenListFlags) =>
      does(async (io) => (await import("./token-list.ts")).tokenList(io, flags)),
    );
  addBasics(list);
  const revoke = token
    .command("revoke")
    .argument("<name>", "name of the token", required)
    .description("end a token, and every browser's sign-in with it, for good")
    .option("--json", "print JSON")
    .action((name: string, flags: JsonFlag) =>
      does(async (io) => (await import("./token-revoke.ts")).tokenRevoke(io, name, flags)),
    );
  addBasics(revoke);
}

const ADD_HELP = `
The token alone goes to standard output; only its hash is kept. A browser signs in
with it on /signin; a program sends it: Authorization: Bearer TOKEN`;
