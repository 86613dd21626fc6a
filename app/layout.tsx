import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { isSignInNeeded } from "#app/_access/need.ts";
import { signedInName } from "#app/_access/who.ts";
import { Footer } from "#app/_ui/footer.tsx";
import { DemoBanner, Header } from "#app/_ui/header.tsx";
import { Theme } from "#app/_ui/theme.tsx";
import { isDemo } from "#lib/demo/stamp.io.ts";
import { UserError } from "#lib/errors.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { Settings } from "#lib/settings.ts";
import { chooseSources } from "#lib/sources/discover.ts";
import pkg from "../package.json" with { type: "json" };
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Health · mecha", template: "%s · mecha" },
  description: "How the runs of your agents went.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1012" },
  ],
};

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? "";
  const who = await signedInName();
  const inside = who !== null || !isSignInNeeded();
  const settings = settingsOrNull();
  return (
    <html lang="en" suppressHydrationWarning>
      <body className="flex min-h-dvh flex-col">
        <Theme nonce={nonce}>
          <NuqsAdapter>
            <a
              href="#main"
              className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30 focus:bg-ground focus:px-3 focus:py-1"
            >
              Skip to the content
            </a>
            <Header who={who} inside={inside} />
            {inside && settings !== null && showsDemo(settings) && <DemoBanner />}
            <main
              id="main"
              tabIndex={-1}
              className="mx-auto w-full max-w-[1440px] grow px-4 py-5 outline-none sm:px-6"
            >
              {children}
            </main>
            <Footer version={pkg.version} zone={settings?.zone ?? "UTC"} inside={inside} />
          </NuqsAdapter>
        </Theme>
      </body>
    </html>
  );
}

/** A setting that cannot be used is said by the page; the frame around it still stands. */
function settingsOrNull(): Settings | null {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return null;
  }
}

/** Asked of the folders themselves: whoever chose them, made-up runs are told as such. */
function showsDemo(settings: Settings): boolean {
  const chosen = chooseSources(settings, null);
  const places = chosen.ok ? chosen.value.map(({ place }) => place) : [];
  return [settings.triggersDir, ...places].some(isDemo);
}
