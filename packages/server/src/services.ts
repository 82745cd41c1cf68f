/** What route handlers work with. */
import type { Clock, Log, Rates, Runtime, Store } from "@parlor/core"
import type { BodyOf, ConfigView, ParamsOf, QueryOf, RouteName, routes, TxId } from "@parlor/protocol"
import type { Caller } from "./auth/caller.ts"
import type { Names } from "./auth/names.ts"
import type { PageSignIn } from "./auth/page-sign-in.ts"
import type { RefusedCallers } from "./auth/refused.ts"
import type { SendRate } from "./auth/send-rate.ts"
import type { Readiness } from "./health/readiness.ts"
import type { Allowances } from "./http/allowance.ts"
import type { BodyLines } from "./http/body-lines.ts"
import type { OnceCommands } from "./http/once.ts"
import type { Slots } from "./http/slots.ts"
import type { Followers } from "./streams/followers.ts"
import type { Metrics } from "./telemetry/metrics.ts"

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
  readonly metrics: Metrics
  /** Rates of wrongly signed deliveries, and of tests of outgoing webhooks. */
  readonly tries: Rates
  readonly version: string
  /** How the config was loaded (CLI-8). */
  readonly config: () => ConfigView
  /** The public URL without a trailing slash. Default: as callers address the server. */
  readonly publicUrl?: string | undefined
  /** The request header in which OpenAI clients name their conversation, in lowercase. */
  readonly conversationHeader: string
  /** How people sign in on the page, if they do (SEC-39). */
  readonly pageSignIn?: PageSignIn | undefined
  /** How long keys of signed-in people may last. Default: as long as the JWT that created them (SEC-38). */
  readonly signedInKeysMs?: number | undefined
  /** Whether the server is draining: it still responds, but is not ready. */
  readonly isDraining: () => boolean
}

/** A file as a response. With a name, a browser saves it under that name. */
export type RawBytes = {
  /** At once, or as they are made. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>
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
