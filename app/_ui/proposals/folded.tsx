import { bytes, visible } from "#lib/format.ts";

/** A long text that is there to be opened: whole, and as text. */
export function Folded({ name, text }: { name: string; text: string }) {
  if (text === "") return null;
  return (
    <details className="group text-xs">
      <summary className="w-fit text-muted hover:text-ink">
        {`${name} `}
        <span className="whitespace-nowrap">{`(${bytes(new TextEncoder().encode(text).length)})`}</span>
      </summary>
      <pre className="mt-1 whitespace-pre-wrap rounded border border-line bg-raised px-3 py-2 font-mono text-xs">
        {text.split("\n").map(visible).join("\n")}
      </pre>
    </details>
  );
}
