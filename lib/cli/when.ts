/** Writes instants as wall-clock time in one zone: `2026-08-05 09:15`. A text that is no time stays as it is. */
export function clockIn(zone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (time) => {
    const ms = Date.parse(time);
    if (Number.isNaN(ms)) return time;
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of format.formatToParts(ms)) part[type] = value;
    return `${part.year?.padStart(4, "0")}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
  };
}
