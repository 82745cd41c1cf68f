/** Secrets that are shown once: the signing secret of deliveries, and the unguessable part of a URL. */
import { createHmac, randomBytes } from "node:crypto"

const SECRET_BYTES = 32
const ID_BYTES = 24
const PREFIX = "whsec_"

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64")
}

export function newSecretId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString("base64url")}`
}

/** Standard Webhooks: over the id, the timestamp and the raw body. */
export function signed(secret: string, id: string, seconds: string, body: Uint8Array): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64")
  return createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest()
}

/** Like GitHub: over the raw body alone, with the secret's text as the key. */
export function bodySigned(secret: string, body: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(body).digest()
}
