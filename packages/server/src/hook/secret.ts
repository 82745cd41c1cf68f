/** Secrets that are shown once: what signs a delivery, and the part of an address nobody can guess. */
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

/** Standard Webhooks: over the id, the time and the bytes as they are. */
export function signed(secret: string, id: string, seconds: string, body: Uint8Array): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64")
  return createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest()
}

/** As GitHub does it: over the bytes alone, with the secret as it is written. */
export function bodySigned(secret: string, body: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(body).digest()
}
