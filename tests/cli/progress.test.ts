import { expect, test } from "vitest";
import { startProgress } from "#lib/cli/progress.ts";

function watch(stderrIsTerminal: boolean) {
  const written: string[] = [];
  let now = 0;
  const progress = startProgress(
    {
      err: (text) => written.push(text),
      isTty: { stdin: false, stdout: false, stderr: stderrIsTerminal },
      columns: 20,
    },
    () => now,
  );
  const showAt = (ms: number, text: string): void => {
    now = ms;
    progress.show(text);
  };
  return { written, showAt, progress };
}

test("nothing in the first second, then one line that is rewritten, then none", () => {
  const { written, showAt, progress } = watch(true);
  showAt(999, "too early");
  expect(written).toEqual([]);
  showAt(1000, "first");
  showAt(1050, "too soon after the first");
  showAt(1100, "a line that is longer than the terminal is wide");
  progress.end();
  progress.end();
  expect(written).toEqual(["\r\u001b[2Kfirst", "\r\u001b[2Ka line that is long", "\r\u001b[2K"]);
});

test("a scan that ends within a second leaves nothing on the line", () => {
  const { written, showAt, progress } = watch(true);
  showAt(400, "early");
  progress.end();
  expect(written).toEqual([]);
});

test("a log gets no progress at all", () => {
  const { written, showAt, progress } = watch(false);
  showAt(5000, "late");
  progress.end();
  expect(written).toEqual([]);
});
