import type { WindowAsk } from "#app/search.ts";
import { visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import { AsOfPicker } from "./as-of-picker.tsx";
import { Picker } from "./picker.tsx";
import { ZonePicker } from "./zone-picker.tsx";

const DAYS = ["7", "30", "90", "365"] as const;

type Bar = { ask: WindowAsk; models: string[]; serverZone: string; daysUnlessSaid: "30" | "all" };

/** The window of a page: how long, from which sources, which model, told in which zone, as of when. */
export function WindowBar({ ask, models, serverZone, daysUnlessSaid }: Bar) {
  const days = [
    ...DAYS.map((value) => ({ value: value as string, name: `last ${value} days` })),
    { value: "all", name: "all time" },
  ];
  return (
    <form method="get" className="flex flex-wrap items-center gap-2 print:hidden" aria-label="Window">
      <Picker
        name="days"
        label="Window"
        choices={days.map(({ value, name }) => ({ value: value === daysUnlessSaid ? "" : value, name }))}
        unlisted="last {} days"
      />
      <Picker
        name="source"
        label="Source"
        choices={[
          { value: "", name: "all sources" },
          { value: "mecha", name: "mecha" },
          { value: "claude-code", name: "Claude Code" },
        ]}
      />
      <Picker
        name="model"
        label="Model"
        choices={[
          { value: "", name: "all models" },
          ...models.map((model) => ({ value: model, name: visible(model) || "(no name)" })),
        ]}
      />
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
