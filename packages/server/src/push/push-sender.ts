/** Sends web push: encrypted for the browser, signed for its push service, to public addresses only (APP-9, SEC-7). */
import { ECDH, hash } from "node:crypto"
import type { Pushed, PushSender, PushTarget } from "@parlor/core"
import { createPublicPost, type PublicPost, type PublicPostParts } from "../notice/public-post.ts"
import { AUTH_BYTES, CURVE, encrypt, PUBLIC_KEY_BYTES } from "./encrypt.ts"
import { authorization, makePushKeys } from "./vapid.ts"

/** How long a push service keeps it for a device that is off. */
const TTL_SECONDS = 24 * 60 * 60
const ID_LENGTH = 32
/** The most that is allowed. */
const TOPIC_LENGTH = 32
/** Push services want somewhere to write to; this name is reserved to lead nowhere. */
const NO_CONTACT = "mailto:operator@parlor.invalid"

export type PushSenderParts = PublicPostParts & {
  /** Where push services reach the operator: `mailto:` or `https:`. */
  readonly contact?: string | undefined
}

export function createPushSender({ contact = NO_CONTACT, ...parts }: PushSenderParts = {}): PushSender {
  const outside = createPublicPost({ ...parts, subject: "push service" })
  return {
    makeKeys: makePushKeys,
    idOf: ({ endpoint, p256dh, auth }) =>
      `push_${hash("sha256", JSON.stringify([endpoint, p256dh, auth])).slice(0, ID_LENGTH)}`,
    topicOf: (name) => hash("sha256", name, "base64url").slice(0, TOPIC_LENGTH),
    defect: (target) => defectOf(target, outside),
    async send({ keys, to, at, body, topic, urgency }) {
      try {
        const headers = {
          authorization: authorization(keys, to.endpoint, contact, at),
          "content-type": "application/octet-stream",
          "content-encoding": "aes128gcm",
          ttl: String(TTL_SECONDS),
          topic,
          urgency,
        }
        const posted = await outside.post(to.endpoint, headers, encrypt(body, to))
        return posted.kind === "answered" ? judged(posted.status) : { kind: "failed", detail: posted.detail }
      } catch {
        return { kind: "failed", detail: "The message could not be encrypted for this browser." }
      }
    },
  }
}

function defectOf({ endpoint, p256dh, auth }: PushTarget, outside: PublicPost): ReturnType<PushSender["defect"]> {
  const target = outside.target(endpoint)
  if ("defect" in target) return { field: "endpoint", detail: target.defect }
  if (!target.isSecure && !target.isAllowed)
    return { field: "endpoint", detail: "The address of a push service begins with https://." }
  if (!isPublicKey(Buffer.from(p256dh, "base64url")))
    return { field: "p256dh", detail: "This is not a public key on the curve P-256." }
  if (Buffer.from(auth, "base64url").length !== AUTH_BYTES)
    return { field: "auth", detail: `This is not a secret of ${AUTH_BYTES} bytes.` }
  return undefined
}

function isPublicKey(bytes: Buffer): boolean {
  if (bytes.length !== PUBLIC_KEY_BYTES) return false
  try {
    ECDH.convertKey(bytes, CURVE)
    return true
  } catch {
    return false
  }
}

/** Push services say 404 or 410 for a subscription that has ended. */
function judged(status: number): Pushed {
  if (status >= 200 && status < 300) return { kind: "sent" }
  if (status === 404 || status === 410) return { kind: "gone" }
  return { kind: "failed", detail: `The push service responded ${status}.` }
}
