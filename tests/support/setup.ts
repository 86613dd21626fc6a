import { afterEach, beforeEach, expect, vi } from "vitest";

// A warning or an error nobody expected is a failure: it would otherwise scroll by unread.
const complaints: string[] = [];
process.on("warning", (warning) => complaints.push(`${warning.name}: ${warning.message}`));

beforeEach(() => {
  complaints.length = 0;
  vi.spyOn(console, "error").mockImplementation((...args) => {
    complaints.push(args.map(String).join(" "));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(complaints).toEqual([]);
});
