"use client";

/** What stands when even the frame of the pages failed. It brings its own document, without any style. */
export default function FrameError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <html lang="en">
      <body>
        <h1>mecha could not draw this page</h1>
        <p>
          The reason stands in the terminal in which mecha was started
          {error.digest ? `, under the mark ${error.digest}` : ""}.
        </p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
