/** Takes what Parlor has to tell to an address outside. Signs it, and goes nowhere it should not (SEC-7). */
import type { Millis } from "@parlor/protocol"

export type Parcel = {
  readonly url: string
  readonly secret: string
  /** The same for every try of the same thing. */
  readonly id: string
  readonly at: Millis
  readonly body: string
}

/** `never`: trying again is useless. */
export type Delivery =
  | { readonly ok: true }
  | { readonly ok: false; readonly never: boolean; readonly code: string; readonly detail: string }

export interface Courier {
  /** What is wrong with an address as it is written; that it is harmless is only known when connecting. */
  defect(url: string): string | undefined
  /** Never rejects. */
  take(parcel: Parcel): Promise<Delivery>
}
