/** Faults planted between the runtimes and the store. */
import type { Store } from "@parlor/core"
import type { Random } from "../faults/random.ts"
import type { Process } from "./process.ts"
import type { SimClock } from "./sim-clock.ts"

export type Place = { readonly process: Process; readonly clock: SimClock; readonly random: Random }

export type PlantedFault = {
  readonly name: string
  readonly store: (store: Store, place: Place) => Store
}
