/** What it takes to let programs and clocks send messages. */
import type { Millis } from "@parlor/protocol"
import type { CommandAccess } from "../command/command-access.ts"
import type { Courier } from "../ports/courier.ts"
import { Rates } from "../rate/rates.ts"

export type TriggerAccess = CommandAccess & {
  readonly incoming: Incoming
  /** Takes notices to people's programs; without it nobody outside is told anything. */
  readonly courier?: Courier
}

/** What this process remembers of what programs sent. */
export type Incoming = {
  /** By person. */
  readonly apiRates: Rates
  /** By webhook. */
  readonly hookRates: Rates
  /** Deliveries by webhook and body (TRG-10). */
  readonly deliveries: Map<string, Promise<Taken>>
}

export type Taken = { readonly id: string; readonly at: Millis }

export function nothingIncoming(): Incoming {
  return { apiRates: new Rates(), hookRates: new Rates(), deliveries: new Map() }
}
