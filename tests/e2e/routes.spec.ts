import { listAudit } from "#lib/access/audit.io.ts";
import { signIn } from "#lib/access/sign-ins.io.ts";
import { aRaw } from "#tests/unit/verdict/raw.ts";
import { expect, test } from "./dashboard.ts";
import { ask, inDatabase, withTokens } from "./guarded.ts";
import { actionsInBuild, actionsInSources, callOf, type Mutating, mutatingRoutes } from "./mutating.ts";
import { storeVerdicts } from "./results.ts";

/** Each may change 120 things a minute, and there may be more routes than that. */
const NAMES = Array.from({ length: 20 }, (_none, n) => `visitor-${n}`);
/** What a stranger calls to become somebody; and somebody to become a stranger. */
const OPEN_ACTIONS = ["app/signin/actions.ts signInAction", "app/signin/actions.ts signOutAction"];

let data = "";
let verdict = "";
const tokens = withTokens(NAMES, (folder) => {
  data = folder;
  verdict = storeVerdicts({ data, results: data }, [aRaw("++++++--=", "++===")])[0]?.id ?? "";
});

let turn = 0;
/** The cookie of the next visitor who is signed in. */
function cookie(): string {
  const token = tokens[NAMES[turn++ % NAMES.length] ?? ""] ?? "";
  const made = inDatabase(data, ({ db }) => signIn(db, token, Date.now()));
  return `mecha_session=${made?.cookie}`;
}

const everything = (): Mutating[] => [...mutatingRoutes(), ...actionsInBuild().map(callOf)];

test("the build answers to the server actions that stand in the sources, and to no others", () => {
  const built = actionsInBuild().map(({ file, name }) => `${file} ${name}`);
  expect(built.sort()).toEqual(actionsInSources().sort());
  for (const known of [...OPEN_ACTIONS, "app/verdicts/[id]/actions.ts makeShareAction"])
    expect(built).toContain(known);
  expect(mutatingRoutes().map(({ name }) => name)).toContain("POST app/api/sessions/route.ts");
});

test("each refuses another site, another name and who is not signed in; and nobody else", async ({
  dashboard: { port },
}) => {
  test.setTimeout(120_000);
  const Host = `127.0.0.1:${port}`;
  const Origin = `http://${Host}`;
  for (const one of everything()) {
    const send = async (headers: Record<string, string>) =>
      (await ask(port, one.path, { ...one, headers: { ...one.headers, ...headers } })).status;
    const own = { Host, Origin, Cookie: cookie(), "Sec-Fetch-Site": "same-origin" };
    const refused: Record<string, Record<string, string>> = {
      "foreign origin": { ...own, Origin: "http://evil.example" },
      "foreign origin, and a browser's word for it": {
        ...own,
        Origin: "http://evil.example",
        "Sec-Fetch-Site": "cross-site",
      },
      "origin of another port": { ...own, Origin: "http://127.0.0.1:1" },
      "no origin": { Host, Cookie: own.Cookie },
      "origin null": { ...own, Origin: "null" },
      "a name that was bent to this address": {
        ...own,
        Host: `evil.example:${port}`,
        Origin: `http://evil.example:${port}`,
      },
      "cross-site": { ...own, "Sec-Fetch-Site": "cross-site" },
      "same-site": { ...own, "Sec-Fetch-Site": "same-site" },
      "a forged host": { ...own, Host: "evil.example", "X-Forwarded-Host": Host },
      "a program with a wrong token": { Host, Authorization: "Bearer mecha_wrong" },
    };
    for (const [why, headers] of Object.entries(refused))
      expect([one.name, why, REFUSED.includes(await send(headers))]).toEqual([one.name, why, true]);
    if (!isOpen(one)) {
      const stranger = { Host, Origin, "Sec-Fetch-Site": "same-origin" };
      expect([one.name, "no sign-in", await send(stranger)]).toEqual([one.name, "no sign-in", 401]);
      const bad = { ...stranger, Cookie: "mecha_session=wrong", "x-mecha-who": "visitor-1" };
      expect([one.name, "a wrong sign-in", await send(bad)]).toEqual([one.name, "a wrong sign-in", 401]);
    }
    // The same with nothing wrong passes the door.
    const passed = await send(own);
    if (one.absent) expect([one.name, passed]).toEqual([one.name, 405]);
    else expect([one.name, [401, 403, 405, 429].includes(passed)]).toEqual([one.name, false]);
    const token = tokens[NAMES[turn % NAMES.length] ?? ""] ?? "";
    const program = await send({ Host, Authorization: `Bearer ${token}` });
    expect([one.name, [401, 403].includes(program)]).toEqual([one.name, false]);
  }
});

/** 429: wrong tokens of one address, after the tenth. */
const REFUSED = [401, 403, 429];

function isOpen({ path, headers }: Mutating): boolean {
  return headers["Next-Action"] === undefined ? /^\/v\//.test(path) : path === "/signin";
}

test("an action is not reached through a page that is open to strangers", async ({ dashboard: { port } }) => {
  const Host = `127.0.0.1:${port}`;
  const action = actionsInBuild().find(({ name }) => name === "makeShareAction");
  const form = new FormData();
  form.set("_1_name", "a stranger's");
  form.set("_1_days", "1");
  form.set("0", JSON.stringify([verdict, null, "$K1"]));
  const encoded = new Request("http://x", { method: "POST", body: form });
  const sent = {
    method: "POST",
    headers: {
      Host,
      Origin: `http://${Host}`,
      "Next-Action": action?.id ?? "",
      "Content-Type": encoded.headers.get("content-type") ?? "",
    } as Record<string, string>,
    body: await encoded.text(),
  };
  const shares = () =>
    inDatabase(data, ({ db }) => listAudit(db, { limit: 1000 }).filter(({ action }) => action === "share"));
  for (const path of [
    "/signin",
    "/signin/",
    "/v/x",
    "/v/x/document",
    "/icon.svg",
    "/_next/static/x",
    "/favicon.ico",
  ]) {
    for (const extra of [{}, { "x-action-forwarded": "1" }, { "x-mecha-who": "visitor-1" }])
      await ask(port, path, { ...sent, headers: { ...sent.headers, ...extra } });
    expect([path, shares()]).toEqual([path, []]);
  }
  const answer = await ask(port, `/verdicts/${verdict}`, {
    ...sent,
    headers: { ...sent.headers, Cookie: cookie() },
  });
  expect(answer.body).toContain("/v/");
  expect(shares()).toMatchObject([
    { who: NAMES[(turn - 1) % NAMES.length], subject: verdict, detail: "a stranger's" },
  ]);
});
