/**
 * Secrets sealed with AES-256-GCM (SEC-29).
 *
 *   sealed:1:<id of the key>:<nonce, what was sealed, tag; base64url>
 *
 * The first key seals; all of them open. A key's id is derived from it, and reveals nothing about it.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import type { Seal } from "@parlor/core"

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_BYTES = 8
const PREFIX = "sealed:1:"
const CIPHER = "aes-256-gcm"

export type SecretKey = { readonly id: string; readonly key: Buffer }

export function secretKey(bytes: Uint8Array): SecretKey {
  return {
    id: derived(bytes, "parlor secret key id", ID_BYTES).toString("hex"),
    key: derived(bytes, "parlor secrets", KEY_BYTES),
  }
}

export function createSeal(keys: readonly [SecretKey, ...SecretKey[]]): Seal {
  const [current] = keys
  const currentPrefix = `${PREFIX}${current.id}:`
  return {
    seal(secret, about) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(boundTo(about))
      const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()])
      return currentPrefix + sealed.toString("base64url")
    },
    open(value, about) {
      if (!value.startsWith(PREFIX)) return value
      const [id, text = ""] = value.slice(PREFIX.length).split(":")
      const found = keys.find((one) => one.id === id)
      return found && opened(found.key, Buffer.from(text, "base64url"), about)
    },
    isCurrent: (value) => value.startsWith(currentPrefix),
  }
}

function opened(key: Buffer, bytes: Buffer, about: string): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(boundTo(about)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8")
  } catch {
    // Sealed for another place, or changed since.
    return undefined
  }
}

function boundTo(about: string): Buffer {
  return Buffer.from(`${PREFIX}${about}`, "utf8")
}

function derived(bytes: Uint8Array, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", bytes, "", purpose, length))
}
