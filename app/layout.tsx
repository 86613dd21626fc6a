import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { isSignInNeeded } from "#app/_access/need.ts";
import { signedInName } from "#app/_access/who.ts";
import { Footer } from "#app/_ui/footer.tsx";
import { DemoBanner, Header } from "#app/_ui/header.tsx";
import { Theme } from "#app/_ui/theme.tsx";
import { UserError } from "#lib/errors.ts";
import { readSettings } from "#lib/settings.io.ts";
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
            {inside && process.env.MECHA_DEMO === "1" && <DemoBanner />}
            <main
              id="main"
              tabIndex={-1}
              className="mx-auto w-full max-w-[1440px] grow px-4 py-5 outline-none sm:px-6"
            >
              {children}
            </main>
            <Footer version={pkg.version} zone={zoneOfServer()} inside={inside} />
          </NuqsAdapter>
        </Theme>
      </body>
    </html>
  );
}

/** A setting that cannot be used is said by the page; the frame around it still stands. */
function zoneOfServer(): string {
  try {
    return readSettings().zone;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return "UTC";
  }
}
