import type { TriggerName } from "./cells.ts";

export type TriggerTool = {
  name: string;
  inputs: { key: string; values: readonly [string, ...string[]] } | null;
  out: string;
  failed: string;
};

/** What the unattended runs call: tools of small servers, and files. */
export const TRIGGER_TOOLS: Record<TriggerName, readonly [TriggerTool, ...TriggerTool[]]> = {
  "morning-briefing": [
    {
      name: "calendar__list",
      inputs: { key: "day", values: ["today", "tomorrow"] },
      out: "09:00 stand-up\n11:30 label supplier\n15:00 cold store",
      failed: "the calendar server did not answer within 20 s",
    },
    {
      name: "weather__today",
      inputs: { key: "place", values: ["harbour", "north fields"] },
      out: "dry, 6 to 11 degrees, wind from the west",
      failed: "the weather server answered 502",
    },
    {
      name: "fs_read",
      inputs: { key: "path", values: ["notes/standup.md"] },
      out: "- cold store door sticks again\n- harbour route: two addresses without a bell\n",
      failed: "notes/standup.md: permission denied",
    },
  ],
  "dependency-watch": [
    {
      name: "advisories__search",
      inputs: { key: "package", values: ["router", "csv-lines", "mail-text", "retry-queue"] },
      out: "no advisory since the last look",
      failed: "the advisory feed answered 429: too many requests",
    },
    {
      name: "advisories__details",
      inputs: { key: "id", values: ["ADV-204", "ADV-219"] },
      out: "affects versions below 2.1; this checkout has 2.3",
      failed: "no advisory with this id",
    },
    {
      name: "fs_read",
      inputs: { key: "path", values: ["package.json", "package-lock.json"] },
      out: '{ "dependencies": { "router": "2.3.0", "csv-lines": "1.0.4" } }',
      failed: "the file is larger than this tool reads",
    },
  ],
  "inbox-digest": [
    {
      name: "inbox__list",
      inputs: { key: "folder", values: ["orders", "routes"] },
      out: "12 new: 7 orders, 3 route notes, 2 bounced",
      failed: "the mail server closed the connection",
    },
    {
      name: "inbox__read",
      inputs: { key: "id", values: ["m-811", "m-812", "m-815"] },
      out: "Could the box come after five? The bell does not work.",
      failed: "no message with this id",
    },
  ],
  "restore-drill": [
    {
      name: "backups__list",
      inputs: null,
      out: "orders 03:00, stock 03:05, mail 03:10",
      failed: "the backup host did not answer",
    },
    {
      name: "backups__verify",
      inputs: { key: "set", values: ["orders", "stock", "mail"] },
      out: "1842 of 1842 files match their checksum",
      failed: "the checksum list is missing",
    },
  ],
  "feed-check": [
    {
      name: "feeds__poll",
      inputs: { key: "feed", values: ["prices", "frost-warnings", "road-works"] },
      out: "4 new entries, newest 35 minutes old",
      failed: "the feed answered 410: gone",
    },
  ],
  "status-page": [
    {
      name: "status__get",
      inputs: { key: "service", values: ["orders", "stock"] },
      out: "up for 9 days",
      failed: "no answer within 10 s",
    },
  ],
};

/** The prompt of each trigger, and the answer of a run that went well. */
export const TRIGGER_WORDS: Record<TriggerName, { description: string; prompt: string; answer: string }> = {
  "morning-briefing": {
    description: "What the day holds, before anybody is up",
    prompt:
      "Summarise today's appointments, the weather on both routes and what the last stand-up left open.",
    answer:
      "Three appointments, dry weather on both routes. Open from the stand-up: the cold store door and two addresses without a bell.",
  },
  "dependency-watch": {
    description: "Advisories for what the service depends on",
    prompt: "Look up each dependency of the service in the advisory feed and say what concerns us.",
    answer: "No advisory concerns the versions in use, as far as the feed answered.",
  },
  "inbox-digest": {
    description: "Afternoon mail, sorted, with drafts for the routes",
    prompt: "Sort this afternoon's mail and draft a note for each route that needs one.",
    answer: "Seven orders, three route notes. One draft waits in the outbox.",
  },
  "restore-drill": {
    description: "Checks that last night's backups can be read back",
    prompt: "Verify last night's backup sets against their checksums and list what does not match.",
    answer: "Every set could be read back; all checksums match.",
  },
  "feed-check": {
    description: "Are the feeds we buy from still alive",
    prompt: "Poll each feed and name those without an entry in the last two hours.",
    answer: "All feeds had entries within the last hour.",
  },
  "status-page": {
    description: "Replaced by the monitoring of the hosting",
    prompt: "Say whether both services are up.",
    answer: "Both services are up.",
  },
};
