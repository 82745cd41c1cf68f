import { createECDH } from "node:crypto"
import { describe, expect, test } from "vitest"
import { encrypt } from "./encrypt.ts"
import { createPushSender } from "./push-sender.ts"
import { makePushKeys } from "./vapid.ts"

/** The example of RFC 8291, section 5. */
const rfc = {
  message: "When I grow up, I want to be a watermelon",
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  encrypted:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}
const browser = { endpoint: "https://push.example.com/send/1", p256dh: rfc.p256dh, auth: rfc.auth }
const push = { keys: makePushKeys(), at: 0, body: "{}", topic: "t", urgency: "normal" } as const

describe("web push", () => {
  test("[APP-9] a message is encrypted as in the example of RFC 8291", () => {
    const chosen = { privateKey: bytes(rfc.privateKey), salt: bytes(rfc.salt) }
    expect(encrypt(rfc.message, rfc, chosen).toString("base64url")).toBe(rfc.encrypted)
  })

  test("[APP-9] the same message is never encrypted the same way twice", () => {
    expect(encrypt("same", rfc)).not.toEqual(encrypt("same", rfc))
  })

  test("[APP-7] a private key always has 32 bytes, and belongs to its public key", () => {
    for (let round = 0; round < 300; round++) {
      const { publicKey, privateKey } = makePushKeys()
      expect(bytes(privateKey)).toHaveLength(32)
      const pair = createECDH("prime256v1")
      pair.setPrivateKey(bytes(privateKey))
      expect(pair.getPublicKey("base64url")).toBe(publicKey)
    }
  })

  test.each([
    ["not a url", "endpoint", /not a valid URL/],
    ["http://push.example.com/send/1", "endpoint", /begins with https/],
    ["https://127.0.0.1/send/1", "endpoint", /not a public address/],
    ["https://169.254.169.254/latest", "endpoint", /not a public address/],
    ["https://[::1]/send/1", "endpoint", /not a public address/],
    ["https://me:secret@push.example.com/", "endpoint", /username or password/],
    ["https://printer.local/", "endpoint", /not a public address/],
  ])("[APP-10, SEC-7] the address %s is refused", (endpoint, field, detail) => {
    const defect = createPushSender().defect({ ...browser, endpoint })
    expect(defect).toMatchObject({ field, detail: expect.stringMatching(detail) })
  })

  test.each([
    [{ p256dh: "AAAA" }, "p256dh"],
    [{ p256dh: Buffer.alloc(65, 4).toString("base64url") }, "p256dh"],
    [{ auth: "AAAA" }, "auth"],
  ])("[APP-10] keys that no browser has are refused: %j", (keys, field) => {
    expect(createPushSender().defect({ ...browser, ...keys })).toMatchObject({ field })
    expect(createPushSender().defect(browser)).toBeUndefined()
  })

  test("[APP-10, SEC-7] a name that leads to a private address is not called, even if only one of its addresses is", async () => {
    const dialed: string[] = []
    const sender = createPushSender({
      resolve: async () => ["93.184.216.34", "10.0.0.7"],
      dial: async ({ address }) => {
        dialed.push(address)
        throw new Error("not reached")
      },
    })
    const pushed = await sender.send({ ...push, to: browser })
    expect(pushed).toEqual({ kind: "failed", detail: "push.example.com resolves to an address that is not public." })
    expect(dialed).toEqual([])
  })

  test("[APP-10] a push service that does not respond is given up", async () => {
    const sender = createPushSender({ resolve: () => new Promise(() => {}), limitMs: 20 })
    expect(await sender.send({ ...push, to: browser })).toEqual({
      kind: "failed",
      detail: "No response within 0.02 s.",
    })
  })

  test("[APP-6] only who knows the keys of a browser can name its subscription", () => {
    const { idOf } = createPushSender()
    expect(idOf(browser)).toBe(idOf({ ...browser }))
    expect(idOf({ ...browser, auth: "other" })).not.toBe(idOf(browser))
    expect(idOf(browser)).toMatch(/^push_[0-9a-f]{32}$/)
  })
})

function bytes(text: string): Buffer {
  return Buffer.from(text, "base64url")
}
