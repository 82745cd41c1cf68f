/** How the server identifies itself to push services: a signed token for each (RFC 8292). */
import { createECDH, createPrivateKey, sign } from "node:crypto"
import type { PushKeys } from "@parlor/core"
import { CURVE } from "./encrypt.ts"

/** At most 24 hours are allowed. */
const VALID_SECONDS = 12 * 60 * 60
const COORDINATE_BYTES = 32

export function makePushKeys(): PushKeys {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // A short private key has leading zeros, which the pair leaves out.
  const privateKey = Buffer.alloc(COORDINATE_BYTES)
  const bytes = pair.getPrivateKey()
  bytes.copy(privateKey, COORDINATE_BYTES - bytes.length)
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") }
}

/** The value of the `Authorization` header. `contact`: where the push service reaches the operator. */
export function authorization(keys: PushKeys, endpoint: string, contact: string, now: number): string {
  const exp = Math.floor(now / 1_000) + VALID_SECONDS
  const head = encoded({ typ: "JWT", alg: "ES256" })
  const claims = encoded({ aud: new URL(endpoint).origin, exp, sub: contact })
  const point = Buffer.from(keys.publicKey, "base64url")
  const key = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: keys.privateKey,
      x: point.subarray(1, 1 + COORDINATE_BYTES).toString("base64url"),
      y: point.subarray(1 + COORDINATE_BYTES).toString("base64url"),
    },
  })
  const signature = sign("sha256", Buffer.from(`${head}.${claims}`), { key, dsaEncoding: "ieee-p1363" })
  return `vapid t=${head}.${claims}.${signature.toString("base64url")}, k=${keys.publicKey}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}
