/**
 * Encrypts a push message for one browser: RFC 8291 (keys) with RFC 8188 (`aes128gcm`).
 *
 *   salt (16) · record size (4) · length of our key (1) · our public key (65) · message, 0x02, tag; encrypted
 *
 * A message is one record. Each has its own key pair and salt, so that no two share a key. Everything here is public
 * knowledge except the browser's private key, which never leaves it, and `auth`, which push services do not know.
 */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto"

export const CURVE = "prime256v1"
export const PUBLIC_KEY_BYTES = 65
export const AUTH_BYTES = 16
const SALT_BYTES = 16
const RECORD_BYTES = 4_096
/** The last record ends with this byte. */
const LAST = Buffer.from([2])

/** For the RFC's example; otherwise random. */
export type Chosen = { readonly privateKey: Uint8Array; readonly salt: Uint8Array }

export function encrypt(
  message: string,
  { p256dh, auth }: { readonly p256dh: string; readonly auth: string },
  chosen?: Chosen,
): Buffer {
  const theirs = Buffer.from(p256dh, "base64url")
  const ours = createECDH(CURVE)
  if (chosen === undefined) ours.generateKeys()
  else ours.setPrivateKey(chosen.privateKey)
  const publicKey = ours.getPublicKey()
  const salt = Buffer.from(chosen?.salt ?? randomBytes(SALT_BYTES))
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, publicKey])
  const secret = derived(ours.computeSecret(theirs), Buffer.from(auth, "base64url"), info, 32)
  const key = derived(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
  const nonce = derived(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const cipher = createCipheriv("aes-128-gcm", key, nonce)
  const record = Buffer.concat([
    cipher.update(message, "utf8"),
    cipher.update(LAST),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(publicKey.length, 4)
  return Buffer.concat([salt, head, publicKey, record])
}

function derived(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, length))
}
