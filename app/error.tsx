"use client";

/** What stands in place of a page that failed. The message of an unknown error may hold paths, so it stays in the log. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">This page could not be drawn</h1>
      <p className="mb-4">
        The reason stands in the terminal in which mecha was started
        {error.digest ? `, under the mark ${error.digest}` : ""}. Your transcripts were only read; nothing was
        changed.
      </p>
      <p className="flex gap-2">
        <button type="button" onClick={reset} className="control">
          Try again
        </button>
        <a href="/" className="control inline-flex items-center no-underline">
          Go to Health
        </a>
      </p>
    </div>
  );
}
