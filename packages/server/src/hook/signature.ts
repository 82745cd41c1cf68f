/**
 * Whether a delivery is signed with one of a webhook's secrets, over the bytes as they came (TRG-5). Pure.
 *
 * Standard Webhooks sign the id and the time too: a delivery is good for five minutes, and its id is as true as its body.
 * GitHub signs the body alone, so whoever gets hold of a delivery could send it again under another id: the core knows
 * such a body again (TRG-10).
 */
import { timingSafeEqual } from "node:crypto"
import { type HookStyle, limits, Refusal } from "@parlor/protocol"
import { bodySigned, signed } from "./secret.ts"

const WINDOW_S = 5 * 60
/** Senders that change their secret sign with the old and the new one. */
const MAX_SIGNATURES = 10
/** No dot: it is what stands between the id and the time in what is signed. */
const ID = new RegExp(String.raw`^(?!.*\.)[\x21-\x7e]{1,${limits.deliveryIdLength}}$`)

export type Signed = {
  readonly secrets: readonly string[]
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  readonly now: number
}

/** Answers with the delivery's id, or refuses. */
export function checkSignature(style: HookStyle, delivery: Signed): string {
  return style === "standard" ? checkStandard(delivery) : checkGithub(delivery)
}

function checkStandard({ secrets, header, body, now }: Signed): string {
  const id = needed(header, "webhook-id")
  const seconds = needed(header, "webhook-timestamp")
  const given = needed(header, "webhook-signature").split(" ")
  if (!ID.test(id)) throw refused("The webhook-id is not one: it has no dot and no white space.")
  if (!/^\d{1,12}$/.test(seconds)) throw refused("The webhook-timestamp is a number of seconds.")
  if (Math.abs(Math.floor(now / 1_000) - Number(seconds)) > WINDOW_S)
    throw refused("The webhook-timestamp is more than five minutes from the time here.")
  const signatures = given.slice(0, MAX_SIGNATURES).flatMap((one) => {
    const [version, signature] = one.split(",")
    return version === "v1" && signature !== undefined ? [Buffer.from(signature, "base64")] : []
  })
  if (isAny(signatures, (secret) => signed(secret, id, seconds, body), secrets)) return id
  throw refused("The webhook-signature does not fit what was sent.")
}

function checkGithub({ secrets, header, body }: Signed): string {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(needed(header, "x-hub-signature-256"))?.[1]
  if (given === undefined) throw refused("The x-hub-signature-256 is sha256= and 64 hexadecimal digits.")
  if (!isAny([Buffer.from(given, "hex")], (secret) => bodySigned(secret, body), secrets))
    throw refused("The x-hub-signature-256 does not fit what was sent.")
  const id = header("x-github-delivery") ?? header("x-gitea-delivery") ?? given.toLowerCase()
  if (ID.test(id)) return id
  throw refused("The x-github-delivery is not one: it has no dot and no white space.")
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
