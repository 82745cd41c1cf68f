/** The type of a route, and what responses have in common. */
import type { z } from "zod"
import type { RefusalCode } from "../errors.ts"
import type { Scope } from "../requests.ts"
import type { Method } from "../sdk-endpoints.ts"

/** `signature`: no credential; the body is signed, and the handler checks the signature. */
export type Needs = "nothing" | "signature" | Scope

/** A route without its method and path, which are in `endpoints.ts`. */
export type DescribedRoute = {
  readonly needs: Needs
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** A JSON body. JSON Lines have a media type in `bodyType` instead; files are bytes of any type, up to a maximum. */
  readonly body?: z.ZodType
  readonly bodyType?: "application/jsonl"
  readonly bytes?: { readonly most: number; readonly tooLarge?: RefusalCode }
  /** `web`: a library makes the response, as JSON or as server-sent events. */
  readonly answer?: {
    readonly status: number
    readonly schema?: z.ZodType
    readonly type?: "application/jsonl" | "bytes" | "text/event-stream" | "web"
  }
  /** Its response to a client that waits for the reply with `Prefer: wait`, or streams it (API-20, API-21). */
  readonly waits?: { readonly status: number; readonly schema: z.ZodType }
  /** The error format, for protocols that define their own. */
  readonly errors?: "text" | "json-rpc" | "openai" | "ag-ui"
  /** Responds with server-sent events instead if the request asks for them (`stream: true`). */
  readonly mayStream?: true
  /** The maximum size of a JSON body, if it may contain files. */
  readonly bodyBytes?: number
  /**
   * How a repeat with the same `Idempotency-Key` is recognized (LOG-30). `own`: by the command, in its own
   * transaction. `harmless`: not recognized, because a repeat changes nothing more. `never`: its response contains a
   * secret. Default: the stored response is returned again.
   */
  readonly repeats?: "own" | "harmless" | "never"
  /** Expensive: concurrency is limited per person (SEC-12). With `mayStream`, until it begins to follow a turn. */
  readonly heavy?: true
  /** Request headers that it reads, besides those of every command. */
  readonly headers?: readonly ("If-Match" | "If-None-Match" | "Last-Event-ID" | "Prefer")[]
  /** The secret of a share link is accepted too, for what it shares (SHR-2). */
  readonly shared?: true
  /** Answered as a Durable Stream: see docs/spec/http.md. */
  readonly stream?: true
}

export type Route = DescribedRoute & { readonly method: Method; readonly path: string }

export const ok = <S extends z.ZodType>(schema: S) => ({ status: 200, schema }) as const
