/**
 * Pages of other origins (API-17, API-18). The gate refuses origins that are not allowed; this adds what a browser needs
 * to hand a response to a page of an allowed one.
 *
 * Credentials in the sense of CORS (cookies, client certificates) are never allowed, and Parlor uses none: a page sends
 * its bearer token itself. So the wildcards below mean every header, now and in later versions.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Answer } from "./answer.ts"

/** How long a browser may reuse the answer to a preflight. */
const PREFLIGHT_SECONDS = 600

export type Cors = {
  /** Adds the headers to any response to this request. */
  allow(incoming: IncomingMessage, out: ServerResponse): void
  /** The answer to a preflight of an allowed origin; undefined for any other request. */
  preflight(incoming: IncomingMessage, methods: readonly string[]): Answer | undefined
}

export function createCors(origins: ReadonlySet<string>): Cors {
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && origins.has(origin.toLowerCase())
  return {
    allow({ headers: { origin } }, out) {
      if (origins.size > 0) out.setHeader("vary", "Origin")
      if (!isAllowed(origin)) return
      out.setHeader("access-control-allow-origin", origin)
      out.setHeader("access-control-expose-headers", "*")
    },
    preflight({ method, headers }, methods) {
      const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined
      if (!isPreflight || !isAllowed(headers.origin) || methods.length === 0) return undefined
      const allowed = {
        "access-control-allow-methods": methods.join(", "),
        // The wildcard does not include it.
        "access-control-allow-headers": "Authorization, *",
        "access-control-max-age": String(PREFLIGHT_SECONDS),
        // A public page may call a server on this machine or in this network only if it says so.
        ...(headers["access-control-request-private-network"] === "true"
          ? { "access-control-allow-private-network": "true" }
          : {}),
      }
      return { status: 204, headers: allowed, body: null }
    },
  }
}
