/** Runs the store's periodic work in small pieces, so that nobody waits for it. */
import type { Millis } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import type { Store } from "../ports/store.ts"

const PAUSE_MS = 10
/** The rest is done in the next round. */
const SLICES = 5_000

export type UpkeepHome = {
  readonly store: Pick<Store, "upkeep"> & { readonly log: Pick<Store["log"], "trim"> }
  readonly clock: Clock
  readonly settings: { readonly logGraceMs: Millis }
}

export async function keepUp({ store, clock, settings }: UpkeepHome, isWanted: () => boolean): Promise<void> {
  const inSlices = async (slice: () => Promise<boolean>) => {
    for (let n = 0; n < SLICES && isWanted() && (await slice()); n++)
      await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve))
  }
  await inSlices(() => store.upkeep())
  await inSlices(async () => (await store.log.trim({ graceMs: settings.logGraceMs })).more)
}
