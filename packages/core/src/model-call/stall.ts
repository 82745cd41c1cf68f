/** A model that is silent for too long has stalled (TRN-10). */
import type { Clock } from "../ports/clock.ts"
import { ModelFault } from "../ports/model.ts"

/** Checks periodically instead of setting a timer per token. Returns a function that stops it. */
export function watchStall(
  clock: Clock,
  stallMs: number,
  lastEventAt: () => number,
  stalled: (fault: ModelFault) => void,
): () => void {
  let cancel = () => {}
  const look = () => {
    const left = lastEventAt() + stallMs - clock.now()
    if (left <= 0) stalled(new ModelFault(`The model was silent for ${stallMs / 1_000} s.`, { transient: true }))
    else cancel = clock.after(left, look)
  }
  cancel = clock.after(stallMs, look)
  return () => cancel()
}
