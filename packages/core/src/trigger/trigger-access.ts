/** What is needed for triggers. */
import type { Millis } from "@parlor/protocol"
import type { CommandAccess } from "../command/command-access.ts"
import type { Courier } from "../ports/courier.ts"
import type { Seal } from "../ports/seal.ts"
import type { Rates } from "../rate/rates.ts"

/** Seals the secrets of webhooks; without it there can be none (SEC-29). */
export type Sealing = { readonly seal?: Seal }

export type TriggerAccess = CommandAccess &
  Sealing & {
    readonly incoming: Incoming
    /** Sends outgoing webhooks; without it they are disabled. */
    readonly courier?: Courier
  }

/** What this process remembers of programs' messages. */
export type Incoming = {
  /** By person. */
  readonly apiRates: Rates
  /** By webhook. */
  readonly hookRates: Rates
  /** Deliveries by webhook and body (TRG-10). */
  readonly deliveries: Map<string, Promise<Taken>>
}

export type Taken = { readonly id: string; readonly at: Millis }

/** `newRates`: makes the counter of that name. */
export function nothingIncoming(newRates: (name: string) => Rates): Incoming {
  return { apiRates: newRates("api"), hookRates: newRates("hooks"), deliveries: new Map() }
}
