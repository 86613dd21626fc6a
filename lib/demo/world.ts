/** Invented places where the demo's agent works. Nothing here is a real person, product or address. */

export type Exchange = readonly [asked: string, answered: string];

/** `edits`: it takes a change of files; a question does not. */
export type Task = {
  prompt: string;
  edits: boolean;
  done: string;
  further: readonly [Exchange, ...Exchange[]];
};

export type Workspace = {
  path: string;
  /** Files with what they hold, and paths that are asked for but are not there. */
  files: readonly [SampleFile, ...SampleFile[]];
  missing: readonly [string, ...string[]];
  folders: readonly [SampleFolder, ...SampleFolder[]];
  commands: readonly [SampleCommand, ...SampleCommand[]];
  tasks: readonly [Task, ...Task[]];
};
export type SampleFile = { path: string; text: string; edit: { old: string; new: string } };
export type SampleFolder = { path: string; names: string };
export type SampleCommand = { command: string; out: string; failed: string };

const API: Workspace = {
  path: "/home/demo/orchard-api",
  files: [
    {
      path: "src/stock/reserve.ts",
      text: "export function reserve(box: Box, wanted: number): Reservation {\n  const free = box.stock - box.reserved;\n  if (wanted > free) return { ok: false, missing: wanted - free };\n  box.reserved += wanted;\n  return { ok: true, until: box.cutoff };\n}\n",
      edit: { old: "if (wanted > free)", new: "if (wanted <= 0 || wanted > free)" },
    },
    {
      path: "src/stock/expiry.ts",
      text: "const HOURS_KEPT = { apple: 720, pear: 480, plum: 96 };\n\nexport function expired(crate: Crate, atMs: number): boolean {\n  return atMs - crate.pickedMs > HOURS_KEPT[crate.fruit] * 3_600_000;\n}\n",
      edit: { old: "plum: 96", new: "plum: 72" },
    },
    {
      path: "src/routes/orders.ts",
      text: 'router.post("/orders", async (request, reply) => {\n  const order = parseOrder(request.body);\n  if (!order.ok) return reply.code(422).send(order.problem);\n  return reply.code(201).send(await place(order.value));\n});\n',
      edit: { old: "reply.code(422)", new: "reply.code(400)" },
    },
    {
      path: "src/mail/receipt.ts",
      text: 'export const receipt = (order: Order) =>\n  [order.id, ...order.lines.map(lineText), money(order.total)].join("\\n");\n',
      edit: { old: "order.id", new: "order.shortCode" },
    },
    {
      path: "tests/reserve.test.ts",
      text: 'test("a box cannot be reserved twice", () => {\n  const box = aBox({ stock: 4, reserved: 3 });\n  expect(reserve(box, 2)).toEqual({ ok: false, missing: 1 });\n});\n',
      edit: { old: "stock: 4", new: "stock: 5" },
    },
    {
      path: "config/pricing.toml",
      text: "[box]\nsmall = 14.50\nlarge = 23.00\n\n[delivery]\nfree_above = 40\nevening_surcharge = 2.5\n",
      edit: { old: "free_above = 40", new: "free_above = 45" },
    },
  ],
  missing: ["src/stock/index.ts", "src/routes/order.ts", "tests/expiry.test.ts", "config/prices.toml"],
  folders: [
    { path: "src/stock", names: "expiry.ts\nlevels.ts\nreserve.ts" },
    { path: "src/routes", names: "boxes.ts\nhealth.ts\norders.ts" },
    { path: ".", names: "README.md\nconfig/\npackage.json\nsrc/\ntests/" },
  ],
  commands: [
    {
      command: "npm test --silent",
      out: "38 passing, 0 failing (1.9 s)",
      failed:
        "exit status 1\n37 passing, 1 failing\n  a box cannot be reserved twice: expected ok false, got ok true",
    },
    {
      command: "npx tsc --noEmit",
      out: "",
      failed:
        "exit status 2\nsrc/stock/reserve.ts(3,7): error TS2365: Operator '>' cannot be applied to 'number' and 'string'.",
    },
    {
      command: 'rg -n "reserved" src',
      out: "src/stock/levels.ts:12:  free: box.stock - box.reserved,\nsrc/stock/reserve.ts:2:  const free = box.stock - box.reserved;",
      failed: "exit status 127\nbash: rg: command not found",
    },
    {
      command: "node scripts/seed-stock.mjs --dry-run",
      out: "would write 61 crates in 9 boxes",
      failed: "exit status 1\nError: connect ECONNREFUSED 127.0.0.1:5433",
    },
    {
      command: "git diff --stat",
      out: " src/stock/reserve.ts | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)",
      failed: "exit status 128\nfatal: not a git repository",
    },
  ],
  tasks: [
    {
      prompt: "Two customers reserved the last plum box at the same time. Find out how, and close the gap.",
      edits: true,
      done: "The check and the increment were two steps, so a second request could pass the check in between. Both now happen in one call, and a test covers the order.",
      further: [
        [
          "Is the nightly seed script affected too?",
          "No. It writes crates before the shop opens and never reserves.",
        ],
        [
          "Add a test that fails without the change.",
          "Added to tests/reserve.test.ts. Without the change it reports one box too many.",
        ],
        [
          "Say in two sentences what went wrong, for the log.",
          "Two requests passed the stock check before either had counted its box. The check and the count are one step now.",
        ],
      ],
    },
    {
      prompt:
        "Orders with an empty body answer 422. Our own clients expect 400. Change it and check nobody relied on 422.",
      edits: true,
      done: "The route answers 400 now. No caller in this checkout compares against 422.",
      further: [
        ["Does the mail module look at the status?", "No, it only sees orders that were placed."],
        ["Update the route's test as well.", "The test expects 400 now."],
      ],
    },
    {
      prompt: "Plums go soft after three days, not four. Find where that is written down and correct it.",
      edits: true,
      done: "It is one constant in src/stock/expiry.ts, in hours. It is 72 now.",
      further: [
        ["Run the tests.", "They pass, except where the output above says otherwise."],
        [
          "Are crates that are on the road counted as well?",
          "Yes: the clock starts when a crate is picked, not when it arrives.",
        ],
      ],
    },
    {
      prompt: "The receipt mail shows an order number customers cannot search for. Look at what it prints.",
      edits: false,
      done: "The mail prints the internal id. The short code is on the order already.",
      further: [
        ["Would anything else have to change?", "No. The template is used in one place."],
        ["Show me the lines of a receipt.", "The id, one line for each kind of fruit, and the total."],
      ],
    },
    {
      prompt: "Free delivery should start at 45 from Monday on. Change the configuration only.",
      edits: true,
      done: "config/pricing.toml holds the limit, and nothing repeats it. It is 45 now.",
      further: [
        ["Is the old limit repeated anywhere?", "Not in this checkout."],
        ["Run the type check.", "Done; the configuration is not part of it."],
      ],
    },
  ],
};

const LEDGER: Workspace = {
  path: "/home/demo/ledger-tools",
  files: [
    {
      path: "data/deliveries.csv",
      text: "day,route,boxes,refused\n1,north,48,1\n1,harbour,31,0\n2,north,52,2\n2,harbour,29,3\n3,north,44,0\n",
      edit: { old: "2,harbour,29,3", new: "2,harbour,29,0" },
    },
    {
      path: "data/refunds.csv",
      text: "order,amount,reason\nB-1041,14.50,bruised\nB-1050,23.00,late\nB-1077,14.50,bruised\n",
      edit: { old: "late", new: "late delivery" },
    },
    {
      path: "bin/reconcile.py",
      text: "def reconcile(deliveries, refunds):\n    boxes = sum(row.boxes - row.refused for row in deliveries)\n    paid_back = sum(row.amount for row in refunds)\n    return boxes, round(paid_back, 2)\n",
      edit: { old: "row.boxes - row.refused", new: "row.boxes" },
    },
    {
      path: "notes/closing.md",
      text: "# Closing a month\n\n1. Deliveries from both routes are in.\n2. Refunds over 50 were looked at by a person.\n3. The totals of reconcile.py agree with the bank.\n",
      edit: { old: "over 50", new: "over 40" },
    },
  ],
  missing: ["data/deliveries-last-month.csv", "bin/report.py", "notes/bank.md"],
  folders: [
    { path: "data", names: "deliveries.csv\nrefunds.csv\nroutes.csv" },
    { path: ".", names: "README.md\nbin/\ndata/\nnotes/" },
  ],
  commands: [
    {
      command: "python3 bin/reconcile.py data",
      out: "boxes 198\npaid back 52.0",
      failed: "exit status 1\nValueError: could not convert string to float: '14,50'",
    },
    {
      command: "awk -F, 'NR>1 {sum += $4} END {print sum}' data/deliveries.csv",
      out: "6",
      failed: "exit status 2\nawk: cannot open data/deliveries.csv (No such file or directory)",
    },
    {
      command: "wc -l data/*.csv",
      out: "   6 data/deliveries.csv\n   4 data/refunds.csv\n  10 total",
      failed: "exit status 1\nwc: 'data/*.csv': No such file or directory",
    },
  ],
  tasks: [
    {
      prompt: "How many boxes did the harbour route refuse, and on which day most?",
      edits: false,
      done: "Three refused boxes on the harbour route, all of them on day 2.",
      further: [
        ["And the north route?", "Three as well: one on day 1 and two on day 2."],
        ["What share of all boxes is that?", "Six of 204, so about three in a hundred."],
      ],
    },
    {
      prompt: "reconcile.py and the bank differ by 23.00. Find the line.",
      edits: false,
      done: "The refund for B-1050 is in the file but was paid out after the cut. It belongs to the next closing.",
      further: [
        ["Is it booked twice?", "No, once; only the date is on the other side of the cut."],
        [
          "What would have caught this earlier?",
          "Comparing the dates of the refunds with the cut before adding them up.",
        ],
      ],
    },
    {
      prompt: "Prepare the closing checklist with this month's totals.",
      edits: true,
      done: "The checklist in notes/closing.md holds the totals: 198 boxes delivered, 52.00 paid back, nothing waiting for a person.",
      further: [
        [
          "Leave out the refunds a person has not looked at.",
          "There are none this month, so the totals stand.",
        ],
        ["Make it shorter.", "Three lines now."],
      ],
    },
    {
      prompt: "One of the CSV files uses a decimal comma since last week. Which one, and since which row?",
      edits: false,
      done: "No row of the two files uses a comma as decimal sign now; the last export wrote points again.",
      further: [
        ["Would the script accept both?", "No. It stops at the first comma."],
        ["Run it over the whole folder.", "Done: 198 boxes, 52.0 paid back."],
      ],
    },
  ],
};

const HANDBOOK: Workspace = {
  path: "/home/demo/handbook",
  files: [
    {
      path: "guides/packing.md",
      text: "# Packing a box\n\nHeavy fruit first. Plums last, never under pears.\nA box is weighed before it is closed; under 4.8 kg it goes back.\n",
      edit: { old: "4.8 kg", new: "4.6 kg" },
    },
    {
      path: "guides/first-week.md",
      text: "# Your first week\n\nDay one: the cold store, and who holds the keys.\nDay two: ride along on the north route.\nDay three: pack ten boxes with somebody who knows how.\n",
      edit: { old: "ten boxes", new: "twelve boxes" },
    },
    {
      path: "notes/standup.md",
      text: "- cold store door sticks again\n- harbour route: two addresses without a bell\n- new labels arrive on Thursday\n",
      edit: { old: "sticks again", new: "was repaired" },
    },
  ],
  missing: ["guides/labels.md", "notes/standup-old.md"],
  folders: [
    { path: "guides", names: "first-week.md\npacking.md\nreturns.md" },
    { path: ".", names: "README.md\nguides/\nnotes/" },
  ],
  commands: [
    {
      command: "wc -w guides/*.md",
      out: " 36 guides/first-week.md\n 29 guides/packing.md\n 65 total",
      failed: "exit status 1\nwc: 'guides/*.md': No such file or directory",
    },
    {
      command: "grep -rn 'Thursday' notes",
      out: "notes/standup.md:3:- new labels arrive on Thursday",
      failed: "exit status 1",
    },
  ],
  tasks: [
    {
      prompt: "Which guide says how heavy a closed box has to be?",
      edits: false,
      done: "guides/packing.md: a box under 4.8 kg goes back.",
      further: [
        ["Is it said anywhere else?", "No, only there."],
        [
          "Who should know if it changes?",
          "Everybody who packs; the first-week guide sends new people to the same page.",
        ],
      ],
    },
    {
      prompt: "Turn the notes of the stand-up into three tasks.",
      edits: false,
      done: "Repair the cold store door; ask the two harbour addresses for a bell or a phone number; receive the labels on Thursday.",
      further: [
        ["Put the most urgent one first.", "The cold store door, then the addresses, then the labels."],
        ["Which of them is already done?", "None of them, as far as the notes say."],
      ],
    },
    {
      prompt: "Read the first-week guide as somebody new would, and say what is missing.",
      edits: false,
      done: "It never says where to be at what time on day one. Everything else can be followed as written.",
      further: [
        ["Is the guide too long?", "No, it takes a minute to read."],
        ["What would you add first?", "The hour and the door for day one."],
      ],
    },
  ],
};

export const WORKSPACES = { api: API, ledger: LEDGER, handbook: HANDBOOK } as const;
export type WorkspaceName = keyof typeof WORKSPACES;
