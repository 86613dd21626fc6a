import type { Metadata } from "next";
import Link from "next/link";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">There is no such page</h1>
      <p>
        Go to{" "}
        <Link href="/" className="link">
          Health
        </Link>
        ,{" "}
        <Link href="/findings" className="link">
          Findings
        </Link>
        ,{" "}
        <Link href="/sessions" className="link">
          Sessions
        </Link>{" "}
        or{" "}
        <Link href="/scorecards" className="link">
          Scorecards
        </Link>
        .
      </p>
    </div>
  );
}
