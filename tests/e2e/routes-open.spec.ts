import { expect, test, withStore } from "./dashboard.ts";
import { ask } from "./guarded.ts";
import { actionsInBuild, callOf, mutatingRoutes } from "./mutating.ts";

withStore(() => ({ MECHA_ZONE: "UTC" }));

test("where nobody signs in, every route still refuses other sites and other names", async ({
  dashboard: { port },
}) => {
  test.setTimeout(120_000);
  const Host = `localhost:${port}`;
  const Origin = `http://${Host}`;
  for (const one of [...mutatingRoutes(), ...actionsInBuild().map(callOf)]) {
    const send = async (headers: Record<string, string>) =>
      (await ask(port, one.path, { ...one, headers: { ...one.headers, ...headers } })).status;
    const refused: Record<string, string>[] = [
      { Host },
      { Host, Origin: "null" },
      { Host, Origin: "http://evil.example" },
      { Host, Origin: `http://127.0.0.1:${port + 1}` },
      { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` },
      { Host, Origin, "Sec-Fetch-Site": "cross-site" },
      { Host, Origin, "Sec-Fetch-Site": "same-site" },
    ];
    for (const headers of refused)
      expect([one.name, headers, await send(headers)]).toEqual([one.name, headers, 403]);
    const wrong = { Host, Authorization: "Bearer mecha_wrong" };
    expect([one.name, [401, 429].includes(await send(wrong))]).toEqual([one.name, true]);
    const passed = await send({ Host, Origin });
    if (one.absent) expect([one.name, passed]).toEqual([one.name, 405]);
    else expect([one.name, [401, 403, 405, 429].includes(passed)]).toEqual([one.name, false]);
  }
});
