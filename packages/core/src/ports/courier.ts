/** Sends outgoing webhooks. Signs them, and connects only to allowed addresses (SEC-7). */
import type { Millis } from "@parlor/protocol"

export type Parcel = {
  readonly url: string
  readonly secret: string
  /** The same for every attempt to send the same event. */
  readonly id: string
  readonly at: Millis
  readonly body: string
}

/** `never`: retrying is useless. */
export type Delivery =
  | { readonly ok: true }
  | { readonly ok: false; readonly never: boolean; readonly code: string; readonly detail: string }

export interface Courier {
  /** What is wrong with a URL as written; whether its address is allowed is known only when connecting. */
  defect(url: string): string | undefined
  /** Never rejects. */
  take(parcel: Parcel): Promise<Delivery>
}
