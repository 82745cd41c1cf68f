/** What the handlers of the routes work with. */
import type { Clock, Log, Rates, Runtime, Store } from "@parlor/core"
import type { BodyOf, ParamsOf, QueryOf, RouteName, routes, TxId } from "@parlor/protocol"
import type { Caller } from "./auth/caller.ts"
import type { Names } from "./auth/names.ts"
import type { RefusedCallers } from "./auth/refused.ts"
import type { SendRate } from "./auth/send-rate.ts"
import type { Readiness } from "./health/readiness.ts"
import type { Allowances } from "./http/allowance.ts"
import type { BodyLines } from "./http/body-lines.ts"
import type { OnceCommands } from "./http/once.ts"
import type { Slots } from "./http/slots.ts"
import type { Followers } from "./streams/followers.ts"

export type Services = {
  readonly runtime: Runtime
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly followers: Followers
  readonly names: Names
  readonly refused: RefusedCallers
  readonly sends: SendRate
  readonly once: OnceCommands
  /** For requests that cost much (SEC-12), and bodies of strangers (SEC-15). */
  readonly heavy: Slots
  readonly strangers: Allowances
  readonly readiness: Readiness
  /** Of deliveries that are not signed as they should be, and of tests of notices. */
  readonly tries: Rates
  readonly version: string
  /** Where it is reached from outside, without a slash at the end; as its callers name it, when not said. */
  readonly publicUrl?: string | undefined
  /** Whether the server is about to stop: it still answers, and is not ready for more. */
  readonly isDraining: () => boolean
}

/** An answer that is a file. With a name, a browser saves it under that. */
export type RawBytes = {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string
  /** The hash of its content, for If-Match. */
  readonly etag?: string
}

/** A request after the door: who asks, and input that fits its description. */
export type Call<N extends RouteName> = {
  readonly caller: Caller
  readonly params: ParamsOf<N>
  readonly query: QueryOf<N>
  readonly body: BodyOf<N>
  /** The body as bytes, for routes that take a file. */
  readonly bytes: Uint8Array
  /** The body while it arrives, for routes that take lines. */
  readonly lines: (typeof routes)[N] extends { bodyType: string } ? BodyLines : undefined
  readonly txid: TxId
  readonly header: (name: string) => string | undefined
}
