/** The arguments of each route, derived from the route table: a wrong parameter, query or body does not compile. */
import type { AnswerOf, BodyInputOf, ParamsInputOf, QueryInputOf, routes, SdkRouteName } from "@parlor/protocol"
import type { Repeating } from "./repeat.ts"
import type { OnProgress } from "./upload.ts"

type RawBody = string | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | Blob

type Raw = { readonly type: string; readonly body: RawBody }

/** Options that every request accepts. */
type SendingOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
  /** Maximum attempts; by default as in `timing`. */
  readonly attempts?: number | undefined
  /** `if-undone`: not after a fault, because the server would not recognize a repeat. */
  readonly repeating?: Repeating
}

/** `Known`: path parameters that are filled in already. */
export type RequestOf<N extends SdkRouteName, Known extends string = never> = SendingOptions &
  Field<"params", Without<ParamsInputOf<N>, Known>> &
  Field<"query", QueryInputOf<N>> &
  Body<N>

/** The arguments after the name. Optional if the route requires none. */
export type RequestArgs<N extends SdkRouteName, Known extends string = never> =
  Record<never, never> extends RequestOf<N, Known> ? [request?: RequestOf<N, Known>] : [request: RequestOf<N, Known>]

/** Routes of one conversation, and the parameters that identify it. */
export type InConversation = { readonly agent: string; readonly branch: string }
export type ConversationRoute = {
  [N in SdkRouteName]: ParamsInputOf<N> extends InConversation ? N : never
}[SdkRouteName]

export type ConversationArgs<N extends ConversationRoute> = RequestArgs<N, keyof InConversation>

/** The response type: void for a route without one. */
export type Answered<N extends SdkRouteName> = Promise<AnswerOf<N>>

/** A request of any route. */
export type AnyRequest = SendingOptions & {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query
  readonly body?: unknown
  readonly raw?: Raw
}

export type Query = { readonly [name: string]: string | number | boolean | undefined }

type Without<T, K extends string> = T extends undefined ? undefined : Omit<T, K>
type Field<K extends string, V> = [V] extends [undefined]
  ? unknown
  : Record<never, never> extends V
    ? { readonly [P in K]?: V }
    : { readonly [P in K]: V }

/** JSON is typed by its schema; lines and files are passed through. */
type Body<N extends SdkRouteName> = (typeof routes)[N] extends { body: unknown }
  ? { readonly body: BodyInputOf<N> }
  : (typeof routes)[N] extends { bytes: unknown } | { bodyType: string }
    ? { readonly raw: Raw }
    : unknown
