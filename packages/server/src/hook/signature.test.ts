import { createHmac } from "node:crypto"
import { Refusal } from "@parlor/protocol"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { newSecret, newSecretId } from "./secret.ts"
import { checkSignature } from "./signature.ts"

const NOW = Date.UTC(2026, 0, 1)
const secret = newSecret()
const body = Buffer.from('{"a": 1,\r\n "é":"\\u0001"}')

type Changes = {
  readonly id?: string
  readonly at?: number
  readonly secrets?: readonly string[]
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: Uint8Array
}

/** Signed by the published library, then tampered with. */
function check({ id = "msg_1", at = NOW, secrets = [secret], headers = {}, body: sent = body }: Changes = {}): string {
  const signature = new Webhook(secret).sign(id, new Date(at), body)
  const all: Readonly<Record<string, string | undefined>> = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": signature,
    ...headers,
  }
  return checkSignature("standard", { secrets, header: (name) => all[name], body: sent, now: NOW })
}

describe("Standard Webhooks", () => {
  it("[TRG-5] accepts what the published library signs, and returns its id", () => {
    expect(check()).toBe("msg_1")
    expect(check({ secrets: [newSecret(), secret] })).toBe("msg_1")
  })

  it("[TRG-5] accepts any text and id signed by the library; refuses it with one byte changed", () => {
    const property = fc.property(
      // The library signs text and would alter bytes that are not UTF-8.
      fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
      fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/),
      fc.nat(),
      (text, id, place) => {
        const bytes = new TextEncoder().encode(text)
        const at = new Date(NOW)
        const headers: Record<string, string> = {
          "webhook-id": id,
          "webhook-timestamp": String(NOW / 1_000),
          "webhook-signature": new Webhook(secret).sign(id, at, Buffer.from(bytes)),
        }
        const given = { secrets: [secret], header: (name: string) => headers[name], now: NOW }
        expect(checkSignature("standard", { ...given, body: bytes })).toBe(id)
        const other = Uint8Array.from(bytes)
        other[place % other.length] = ((other[place % other.length] ?? 0) + 1) & 0xff
        expect(() => checkSignature("standard", { ...given, body: other })).toThrow(Refusal)
      },
    )
    fc.assert(property, { numRuns: 200 })
  })

  it.each([
    ["five minutes old", { at: NOW - 300_000 }],
    ["five minutes ahead", { at: NOW + 300_000 }],
    ["signed twice, once with an old secret", { headers: { "webhook-signature": `v1,AAAA ${signed()}` } }],
    ["with signatures of another kind beside it", { headers: { "webhook-signature": `v1a,xyz ${signed()} v2,q` } }],
  ] as const)("[TRG-5] accepts one that is %s", (_what, change) => {
    expect(check(change)).toBe("msg_1")
  })

  it.each([
    ["six minutes old", { at: NOW - 360_000 }],
    ["six minutes ahead", { at: NOW + 360_000 }],
    ["of other bytes", { body: Buffer.from("{}") }],
    ["of the same JSON, serialized again", { body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) }],
    ["with another's secret", { secrets: [newSecret()] }],
    ["with no secret left", { secrets: [] }],
    ["under another id", { headers: { "webhook-id": "msg_2" } }],
    ["of another time", { headers: { "webhook-timestamp": String(NOW / 1_000 + 1) } }],
    ["with an id that has a dot", { id: "msg.1" }],
    ["with an id that has a space", { id: "msg 1" }],
    ["with an id that is too long", { id: "x".repeat(201) }],
    ["with a time that is not a number", { headers: { "webhook-timestamp": "1e9" } }],
    ["with no id", { headers: { "webhook-id": undefined } }],
    ["with no time", { headers: { "webhook-timestamp": undefined } }],
    ["with no signature", { headers: { "webhook-signature": undefined } }],
    ["with an empty signature", { headers: { "webhook-signature": "v1," } }],
    ["with half a signature", { headers: { "webhook-signature": signed().slice(0, -8) } }],
    ["with its signature last of eleven", { headers: { "webhook-signature": `${"v1,AAAA ".repeat(10)}${signed()}` } }],
  ] as const)("[TRG-5] refuses one %s", (_what, change) => {
    expect(() => check(change)).toThrow(expect.objectContaining({ code: "hook.signature" }))
  })

  it("[TRG-5] id and time cannot be shifted into each other, or into the body", () => {
    const at = String(NOW / 1_000)
    const signature = new Webhook(secret).sign("a", new Date(NOW), `${at}.x`)
    const headers: Record<string, string> = { "webhook-id": `a.${at}`, "webhook-timestamp": at }
    const header = (name: string) => headers[name] ?? signature
    const shifted = { secrets: [secret], header, body: Buffer.from("x"), now: NOW }
    expect(() => checkSignature("standard", shifted)).toThrow(Refusal)
  })

  it("[TRG-5] secrets and URLs have enough entropy, and are never the same", () => {
    const made = new Set(Array.from({ length: 100 }, () => newSecret()))
    expect(made.size).toBe(100)
    for (const one of made) expect(Buffer.from(one.replace("whsec_", ""), "base64")).toHaveLength(32)
    expect(newSecretId("hook")).toMatch(/^hook_[\w-]{32}$/)
  })
})

describe("signatures of the body alone", () => {
  const given = (headers: Readonly<Record<string, string>>) => ({
    secrets: [secret],
    header: (name: string) => headers[name],
    body,
    now: NOW,
  })
  const good = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

  it("[TRG-5] are accepted as GitHub makes them, with its delivery id, or without one", () => {
    const id = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
    expect(checkSignature("github", given({ "x-hub-signature-256": good, "x-github-delivery": id }))).toBe(id)
    expect(checkSignature("github", given({ "x-hub-signature-256": good.toUpperCase().replace("SHA", "sha") }))).toBe(
      good.slice(7),
    )
  })

  it.each([
    ["none", {}],
    ["an old one", { "x-hub-signature": "sha1=00" }],
    ["another's", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }],
    ["half of one", { "x-hub-signature-256": good.slice(0, -2) }],
    ["one without its prefix", { "x-hub-signature-256": good.slice(7) }],
    ["an invalid id", { "x-hub-signature-256": good, "x-github-delivery": "a b" }],
  ])("[TRG-5] refuse %s", (_what, headers) => {
    expect(() => checkSignature("github", given(headers))).toThrow(Refusal)
  })
})

function signed(): string {
  return new Webhook(secret).sign("msg_1", new Date(NOW), body)
}
