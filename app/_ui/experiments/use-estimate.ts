import { useEffect, useRef, useState, useTransition } from "react";
import type { EstimateView } from "#app/experiment-estimate.ts";

/** How long nobody has to type before the estimate is asked for again. */
const PAUSE_MS = 350;

/** The estimate of what stands in the form, asked for when nobody has typed for a moment; the newest answer counts. */
export function useEstimate(first: EstimateView, estimate: (form: FormData) => Promise<EstimateView>) {
  const [view, setView] = useState(first);
  const [busy, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      asked.current += 1;
      const nth = asked.current;
      startTransition(async () => {
        const answer = await estimate(new FormData(form));
        startTransition(() => {
          if (nth === asked.current) setView(answer);
        });
      });
    }, PAUSE_MS);
  };
  return { view, busy, ask };
}
