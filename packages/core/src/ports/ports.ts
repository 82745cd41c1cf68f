/** The ports that every part of a server process is given. */
import type { Clock } from "./clock.ts"
import type { Ids } from "./ids.ts"
import type { Log } from "./log.ts"
import type { Random } from "./random.ts"
import type { Store } from "./store.ts"

export type Ports = {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
}
