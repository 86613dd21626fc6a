import type { Providers } from "#app/provider-choices.ts";
import { visible } from "#lib/format.ts";

/** The choices of a provider: the configured one first, scripts marked as what they are. */
export function ProviderOptions({ providers, unset }: { providers: Providers; unset?: string }) {
  const { configured, choices } = providers;
  return (
    <>
      <option value="">
        {unset ?? `as configured: ${visible(named(configured.provider, configured.model))}`}
      </option>
      {choices.map(({ name, model, scripted }) => (
        <option key={name} value={name}>
          {`${visible(named(name, model))}${scripted ? " (a script, no model)" : ""}`}
        </option>
      ))}
    </>
  );
}

function named(provider: string, model: string | null): string {
  return model === null ? provider : `${provider} / ${model}`;
}
