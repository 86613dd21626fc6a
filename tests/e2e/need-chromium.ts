import { existsSync } from "node:fs";
import type { FullConfig } from "@playwright/test";

/** Says once what is missing, where every test would say that a program does not exist. */
export default function needChromium({ projects }: FullConfig): void {
  const file = projects[0]?.use.launchOptions?.executablePath ?? "";
  if (!existsSync(file))
    throw new Error(`no Chromium at ${file}: run "apt-get install chromium", or name one in MECHA_CHROMIUM`);
}
