/** What a route is, and the pieces their answers share. */
import type { z } from "zod"
import type { Method } from "../endpoints.ts"
import type { RefusalCode } from "../errors.ts"
import type { Scope } from "../requests.ts"

/** `signature`: no one of ours asks; what is sent is signed, and its handler checks that. */
export type Needs = "nothing" | "signature" | Scope

/** All of a route but its method and path, which are in `endpoints.ts`. */
export type DescribedRoute = {
  readonly needs: Needs
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** A JSON body. Lines name their media type in `bodyType` instead; files are bytes of any type, so many at most. */
  readonly body?: z.ZodType
  readonly bodyType?: "application/jsonl"
  readonly bytes?: { readonly most: number; readonly tooLarge?: RefusalCode }
  readonly answer?: {
    readonly status: number
    readonly schema?: z.ZodType
    readonly type?: "application/jsonl" | "bytes" | "text/event-stream"
  }
  /** How problems are written, where the protocol of its clients has a form of its own. */
  readonly errors?: "text"
  /**
   * How a repeat with the same `Idempotency-Key` is recognized (LOG-30). `own`: by the command, in the transaction that
   * carries it out. `harmless`: it need not be, because a repeat changes nothing more. `never`: its answer holds a secret.
   * By the answer, which is kept, when not said.
   */
  readonly repeats?: "own" | "harmless" | "never"
  /** Takes or gives much: so many at once for one person (SEC-12). */
  readonly heavy?: true
  /** Answered as a Durable Stream: see docs/spec/http.md. */
  readonly stream?: true
}

export type Route = DescribedRoute & { readonly method: Method; readonly path: string }

export const ok = <S extends z.ZodType>(schema: S) => ({ status: 200, schema }) as const
