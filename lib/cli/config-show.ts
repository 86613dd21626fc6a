import { type LoadedConfig, providerEntry } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { originText, type ShownValue, shownValues } from "#lib/config/show.ts";
import { DASH, visible } from "#lib/format.ts";
import type { ConfigShowFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { escapedForTerminal, jsonText } from "./json.ts";
import { settle } from "./store.ts";
import { type Column, tableLines } from "./table.ts";

/** `mecha config show`: the effective configuration. A file that cannot be used is the command's failure. */
export async function configShow(io: CliIo, flags: ConfigShowFlags): Promise<number> {
  const loaded = await loadConfig({
    settings: settle(io, {}, { zoneUnread: true }),
    env: io.env,
    cwd: io.cwd,
    project: true,
    flags,
  });
  io.out(flags.json ? jsonText(jsonOf(loaded)) : `${textOf(io, loaded, flags.all === true).join("\n")}\n`);
  return EXIT.fine;
}

function jsonOf(loaded: LoadedConfig): object {
  return {
    schema_version: 1,
    provider: loaded.selected.provider,
    model: loaded.selected.model,
    values: shownValues(loaded).map(({ key, value, origin }) => ({ key, value, origin })),
    notices: loaded.notices,
  };
}

const COLUMNS: Column[] = [{ header: "key" }, { header: "value", shrinkTo: 20 }, { header: "from" }];

function textOf(io: CliIo, loaded: LoadedConfig, all: boolean): string[] {
  const rows = shownValues(loaded)
    .filter((one) => all || !one.entry || !isUnsaid(one))
    .map(({ key, value, origin }) => [visible(key), valueText(value), visible(originText(origin))]);
  const notices = loaded.notices.map(visible);
  return [
    ...tableLines(COLUMNS, rows, io.isTty.stdout ? io.columns : null),
    "",
    askedText(io, loaded),
    ...(notices.length > 0 ? ["", ...notices] : []),
  ];
}

/** Who answers a run; the most frequent reason why nobody does is said as well. */
function askedText(io: CliIo, { config, selected: { provider, model } }: LoadedConfig): string {
  const entry = providerEntry(config, provider);
  const variable = entry === null || entry.api_key !== null ? null : entry.api_key_env;
  const missing =
    variable === null || io.env[variable] ? "" : `; its key is not there: ${variable} is not set`;
  return `a run asks ${visible(provider)}${model === null ? "" : `, model ${visible(model)}`}${missing}`;
}

function isUnsaid({ value, origin }: ShownValue): boolean {
  return origin.layer === "default" && (value === null || isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((one) => one === false);
}

/** As a file would have it, more or less: texts in quotes, so that an empty one is seen. */
function valueText(value: unknown): string {
  return value === null ? DASH : visible(escapedForTerminal(JSON.stringify(value)));
}
