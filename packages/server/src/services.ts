/** What route handlers work with. */
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
  /** For expensive requests (SEC-12), and unauthenticated bodies (SEC-15). */
  readonly heavy: Slots
  readonly strangers: Allowances
  readonly readiness: Readiness
  /** Rates of wrongly signed deliveries, and of tests of outgoing webhooks. */
  readonly tries: Rates
  readonly version: string
  /** The public URL without a trailing slash. Default: as callers address the server. */
  readonly publicUrl?: string | undefined
  /** The request header in which OpenAI clients name their conversation, in lowercase. */
  readonly conversationHeader: string
  /** Whether the server is draining: it still responds, but is not ready. */
  readonly isDraining: () => boolean
}

/** A file as a response. With a name, a browser saves it under that name. */
export type RawBytes = {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string
  /** The hash of its content, for If-Match. */
  readonly etag?: string
}

/** A request after all checks: its caller, and input that matches its schema. */
export type Call<N extends RouteName> = {
  readonly caller: Caller
  readonly params: ParamsOf<N>
  readonly query: QueryOf<N>
  readonly body: BodyOf<N>
  /** The body as bytes, for routes that accept a file. */
  readonly bytes: Uint8Array
  /** The body as it arrives, for routes that accept lines. */
  readonly lines: (typeof routes)[N] extends { bodyType: string } ? BodyLines : undefined
  readonly txid: TxId
  readonly header: (name: string) => string | undefined
}
