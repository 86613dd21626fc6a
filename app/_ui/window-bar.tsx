import type { WindowAsk } from "#app/search.ts";
import { visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import { AsOfPicker } from "./as-of-picker.tsx";
import { type Choice, Picker } from "./picker.tsx";
import { ZonePicker } from "./zone-picker.tsx";

const DAYS: readonly Choice[] = [...[7, 30, 90, 365].map(daysChoice), { value: "all", name: "all time" }];

function daysChoice(days: number): Choice {
  return { value: String(days), name: `last ${days} ${days === 1 ? "day" : "days"}` };
}

/** The windows to choose from, and which of them the page shows; the page's own stands in the address as nothing. */
function windows(days: number | null, unlessSaid: "30" | "all") {
  const shown = days === null ? "all" : String(days);
  const inAddress = (value: string) => (value === unlessSaid ? "" : value);
  const offered = DAYS.some(({ value }) => value === shown) ? [] : [daysChoice(days ?? 0)];
  const choices = [...offered, ...DAYS].map(({ value, name }) => ({ value: inAddress(value), name }));
  return { choices, passedOver: inAddress(shown) };
}

type Bar = {
  ask: WindowAsk;
  serverZone: string;
  /** What no `days` in the address means; null where the page has no window. */
  daysUnlessSaid: "30" | "all" | null;
  /** The models to choose from; null where the page is about all of them. */
  models: string[] | null;
};

/** What a page looks at: how long, which sources, which model, told in which zone, as of when. */
export function WindowBar({ ask, models, serverZone, daysUnlessSaid }: Bar) {
  return (
    <form
      method="get"
      className="flex flex-wrap items-center gap-2 print:hidden"
      aria-label="What to look at"
    >
      {daysUnlessSaid !== null && (
        <Picker name="days" label="Window" {...windows(ask.days, daysUnlessSaid)} />
      )}
      <Picker
        name="source"
        label="Source"
        passedOver=""
        choices={[
          { value: "", name: "all sources" },
          { value: "mecha", name: "mecha" },
          { value: "claude-code", name: "Claude Code" },
        ]}
      />
      {models !== null && (
        <Picker
          name="model"
          label="Model"
          // On a page with a field to type in, `/` goes there.
          shortcut={daysUnlessSaid === "30"}
          choices={[
            { value: "", name: "all models" },
            ...models.map((model) => ({ value: model, name: visible(model) })),
          ]}
        />
      )}
      <ZonePicker server={serverZone} />
      <AsOfPicker asOf={ask.asOfMs === null ? null : isoUtc(ask.asOfMs)} zone={ask.zone} />
      <noscript>
        <button type="submit" className="control">
          Show
        </button>
      </noscript>
    </form>
  );
}
