/** Delivers outgoing webhooks, signed as Standard Webhooks, to public addresses only (SEC-7). */
import type { Courier, Delivery } from "@parlor/core"
import { signed } from "../hook/secret.ts"
import { createPublicPost, type PublicPostParts } from "./public-post.ts"

const GONE = 410

export type CourierParts = PublicPostParts

export function createCourier(parts: CourierParts = {}): Courier {
  const outside = createPublicPost(parts)
  return {
    defect: (url) => {
      const target = outside.target(url)
      return "defect" in target ? target.defect : undefined
    },
    async take({ url, secret, id, at, body: text }) {
      const body = Buffer.from(text)
      const seconds = String(Math.floor(at / 1_000))
      const posted = await outside.post(
        url,
        {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": seconds,
          "webhook-signature": `v1,${signed(secret, id, seconds, body).toString("base64")}`,
        },
        body,
      )
      if (posted.kind === "answered") return judged(posted.status)
      const isBarred = posted.kind === "barred"
      const code = isBarred ? "notice.url" : "notice.unreachable"
      return { ok: false, never: isBarred, code, detail: posted.detail }
    },
  }
}

function judged(status: number): Delivery {
  if (status >= 200 && status < 300) return { ok: true }
  if (status === GONE)
    return { ok: false, never: true, code: "notice.gone", detail: "The server responded 410: the address is gone." }
  const isRedirect = status >= 300 && status < 400
  const detail = isRedirect
    ? `The server responded ${status}. Redirects are not followed.`
    : `The server responded ${status}.`
  return { ok: false, never: false, code: "notice.answer", detail }
}
