/**
 * A push service with browsers of its own, on a real socket: it checks what RFC 8292 asks of the sender, and decrypts
 * what RFC 8291 has it send, with code that shares nothing with the sender's.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { PushNote } from "@parlor/protocol"
import { expect } from "vitest"

type Received = {
  readonly note: PushNote
  /** The public key of the server that sent it. */
  readonly serverKey: string
  readonly topic: string
  readonly urgency: string
}

export type TestDevice = {
  /** As `PushSubscription.toJSON()`. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  readonly received: readonly Received[]
  /** The status of the next responses; `never` leaves requests without one. */
  answer: number | "never"
  /** How many requests arrived, whatever the answer was. */
  readonly asked: number
}

export type PushService = {
  /** `host:port`, for the setting that allows it. */
  readonly host: string
  device(): TestDevice
  close(): void
}

export async function startPushService(): Promise<PushService> {
  const devices = new Map<string, Device>()
  const server = createServer(async (request, response) => {
    const device = devices.get(request.url ?? "")
    if (device === undefined) return void response.writeHead(404).end()
    await device.take(request, `http://${request.headers.host}`)
    if (device.answer !== "never") response.writeHead(device.answer).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    device() {
      const device = new Device(`http://${host}/send/${randomBytes(8).toString("hex")}`)
      devices.set(new URL(device.subscription.endpoint).pathname, device)
      return device
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

class Device implements TestDevice {
  readonly subscription: TestDevice["subscription"]
  readonly received: Received[] = []
  answer: number | "never" = 201
  asked = 0
  readonly #pair = createECDH("prime256v1")
  readonly #auth = randomBytes(16)

  constructor(endpoint: string) {
    const p256dh = this.#pair.generateKeys("base64url")
    this.subscription = { endpoint, keys: { p256dh, auth: this.#auth.toString("base64url") } }
  }

  async take(request: IncomingMessage, origin: string): Promise<void> {
    this.asked += 1
    const body = await buffer(request)
    if (this.answer !== 201) return
    const { headers } = request
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" })
    const serverKey = signer(headers.authorization ?? "", origin)
    const note = JSON.parse(this.#decrypted(body)) as PushNote
    this.received.push({ note, serverKey, topic: String(headers.topic), urgency: String(headers.urgency) })
  }

  #decrypted(body: Buffer): string {
    const [salt, length] = [body.subarray(0, 16), body.readUInt8(20)]
    const theirs = body.subarray(21, 21 + length)
    const record = body.subarray(21 + length)
    const hkdf = (secret: Buffer, from: Buffer, info: Buffer, bytes: number) =>
      Buffer.from(hkdfSync("sha256", secret, from, info, bytes))
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#pair.getPublicKey(), theirs])
    const secret = hkdf(this.#pair.computeSecret(theirs), this.#auth, info, 32)
    const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
    const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    expect(plain.at(-1)).toBe(2)
    return plain.subarray(0, -1).toString("utf8")
  }
}

/** The public key that signed, after checking the signature and its claims. */
function signer(authorization: string, origin: string): string {
  const [, jwt = "", key = ""] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = "", claims = "", signature = ""] = jwt.split(".")
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString())
  expect(read(head)).toEqual({ typ: "JWT", alg: "ES256" })
  const { aud, exp, sub } = read(claims)
  expect(aud).toBe(origin)
  expect(sub).toMatch(/^(mailto|https):/)
  expect(exp * 1_000 - Date.now()).toBeLessThan(24 * 60 * 60_000)
  const point = Buffer.from(key, "base64url")
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString("base64url"))
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } })
  const signed = { key: publicKey, dsaEncoding: "ieee-p1363" } as const
  expect(verify("sha256", Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, "base64url"))).toBe(true)
  return key
}
