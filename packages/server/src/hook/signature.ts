/**
 * Verifies a delivery's signature with a webhook's secrets, over the raw body (TRG-5). Pure.
 *
 * Standard Webhooks sign the id and the timestamp too: a delivery is valid for five minutes, and its id is
 * authenticated. GitHub signs the body alone, so an intercepted delivery could be replayed under another id: the core
 * recognizes such a body (TRG-10).
 */
import { timingSafeEqual } from "node:crypto"
import { type HookStyle, limits, Refusal } from "@parlor/protocol"
import { bodySigned, signed } from "./secret.ts"

const WINDOW_S = 5 * 60
/** Senders that rotate their secret sign with the old and the new one. */
const MAX_SIGNATURES = 10
/** No dots: a dot separates the id and the timestamp in the signed text. */
const ID = new RegExp(String.raw`^(?!.*\.)[\x21-\x7e]{1,${limits.deliveryIdLength}}$`)

export type Signed = {
  readonly secrets: readonly string[]
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  readonly now: number
}

/** Returns the delivery's id, or refuses. */
export function checkSignature(style: HookStyle, delivery: Signed): string {
  return style === "standard" ? checkStandard(delivery) : checkGithub(delivery)
}

function checkStandard({ secrets, header, body, now }: Signed): string {
  const id = needed(header, "webhook-id")
  const seconds = needed(header, "webhook-timestamp")
  const given = needed(header, "webhook-signature").split(" ")
  if (!ID.test(id)) throw refused("The webhook-id header is not valid: it cannot contain dots or whitespace.")
  if (!/^\d{1,12}$/.test(seconds)) throw refused("The webhook-timestamp header must be a number of seconds.")
  if (Math.abs(Math.floor(now / 1_000) - Number(seconds)) > WINDOW_S)
    throw refused("The webhook-timestamp header is more than five minutes from the server's time.")
  const signatures = given.slice(0, MAX_SIGNATURES).flatMap((one) => {
    const [version, signature] = one.split(",")
    return version === "v1" && signature !== undefined ? [Buffer.from(signature, "base64")] : []
  })
  if (isAny(signatures, (secret) => signed(secret, id, seconds, body), secrets)) return id
  throw refused("The webhook-signature header does not match the delivery.")
}

function checkGithub({ secrets, header, body }: Signed): string {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(needed(header, "x-hub-signature-256"))?.[1]
  if (given === undefined) throw refused("The x-hub-signature-256 header must be sha256= and 64 hex digits.")
  if (!isAny([Buffer.from(given, "hex")], (secret) => bodySigned(secret, body), secrets))
    throw refused("The x-hub-signature-256 header does not match the body.")
  const id = header("x-github-delivery") ?? header("x-gitea-delivery") ?? given.toLowerCase()
  if (ID.test(id)) return id
  throw refused("The x-github-delivery header is not valid: it cannot contain dots or whitespace.")
}

function isAny(signatures: readonly Buffer[], sign: (secret: string) => Buffer, secrets: readonly string[]): boolean {
  let isOne = false
  for (const secret of secrets) {
    const expected = sign(secret)
    for (const given of signatures)
      if (given.length === expected.length && timingSafeEqual(given, expected)) isOne = true
  }
  return isOne
}

function needed(header: Signed["header"], name: string): string {
  const value = header(name)
  if (value !== undefined && value !== "") return value
  throw refused(`The header ${name} is missing.`)
}

function refused(detail: string): Refusal {
  return new Refusal("hook.signature", detail)
}
