/** Every page of the dashboard that stands in the header, with the second key of its `g …` shortcut. */
export const PAGES = [
  { href: "/", name: "Health", key: "h" },
  { href: "/findings", name: "Findings", key: "f" },
  { href: "/sessions", name: "Sessions", key: "s" },
  { href: "/scorecards", name: "Scorecards", key: "c" },
  { href: "/proposals", name: "Proposals", key: "p" },
  { href: "/experiments", name: "Experiments", key: "x" },
  { href: "/review", name: "Review", key: "r" },
] as const;
