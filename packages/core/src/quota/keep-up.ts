/** Runs the store's periodic work in small pieces, so that nobody waits for it. */
import type { Clock } from "../ports/clock.ts"
import type { Store } from "../ports/store.ts"

const PAUSE_MS = 10
/** The rest is done in the next round. */
const SLICES = 5_000

export async function keepUp(
  { store, clock }: { readonly store: Pick<Store, "upkeep">; readonly clock: Clock },
  isWanted: () => boolean,
): Promise<void> {
  for (let slice = 0; slice < SLICES && isWanted() && (await store.upkeep()); slice++)
    await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve))
}
