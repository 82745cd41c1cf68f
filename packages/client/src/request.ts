/** What the call of a route takes, from the route table: a wrong parameter, query or body does not compile. */
import type { AnswerOf, BodyInputOf, ParamsInputOf, QueryInputOf, RouteName, routes } from "@parlor/protocol"
import type { Repeating } from "./repeat.ts"
import type { OnProgress } from "./upload.ts"

type RawBody = string | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | Blob

type Raw = { readonly type: string; readonly body: RawBody }

/** What every request may have besides what its route describes. */
type SendingOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
  /** How often it is tried; as the timing says, when not given. */
  readonly attempts?: number | undefined
  /** `if-undone`: not after a fault, because a repeat is not recognized. */
  readonly repeating?: Repeating
}

/** `Known`: path parameters that the caller need not give. */
export type RequestOf<N extends RouteName, Known extends string = never> = SendingOptions &
  Field<"params", Without<ParamsInputOf<N>, Known>> &
  Field<"query", QueryInputOf<N>> &
  Body<N>

/** The arguments after the name: none are needed where nothing has to be said. */
export type RequestArgs<N extends RouteName, Known extends string = never> =
  Record<never, never> extends RequestOf<N, Known> ? [request?: RequestOf<N, Known>] : [request: RequestOf<N, Known>]

/** Routes of one conversation, and what says which. */
export type InConversation = { readonly agent: string; readonly branch: string }
export type ConversationRoute = {
  [N in RouteName]: ParamsInputOf<N> extends InConversation ? N : never
}[RouteName]

export type ConversationArgs<N extends ConversationRoute> = RequestArgs<N, keyof InConversation>

/** What comes back. Nothing, of a route that has nothing to say. */
export type Answered<N extends RouteName> = Promise<AnswerOf<N>>

/** Any request, once its route no longer matters. */
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

/** JSON by its schema; lines and files as they are. */
type Body<N extends RouteName> = (typeof routes)[N] extends { body: unknown }
  ? { readonly body: BodyInputOf<N> }
  : (typeof routes)[N] extends { bytes: unknown } | { bodyType: string }
    ? { readonly raw: Raw }
    : unknown
