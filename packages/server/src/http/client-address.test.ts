import type { IncomingHttpHeaders } from "node:http"
import type { Socket } from "node:net"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { createClientAddresses, type ForwardedHeader, networkOf, parseNetwork } from "./client-address.ts"

const PROXIES = ["10.0.0.0/8", "127.0.0.1", "fd00::/8"]

function addressOf(peer: string, headers: IncomingHttpHeaders, header?: ForwardedHeader): string {
  const { clientAddress } = createClientAddresses(PROXIES, header)
  return clientAddress({ headers, socket: { remoteAddress: peer } as Socket })
}

describe("[SEC-17] the client's address", () => {
  it("is the peer's own, whatever it says, unless it is a trusted proxy", () => {
    expect(addressOf("203.0.113.9", { "x-forwarded-for": "198.51.100.1" })).toBe("203.0.113.9")
    expect(addressOf("203.0.113.9", { forwarded: "for=198.51.100.1" }, "forwarded")).toBe("203.0.113.9")
    const { clientAddress } = createClientAddresses()
    const socket = { remoteAddress: "127.0.0.1" } as Socket
    expect(clientAddress({ headers: { "x-forwarded-for": "198.51.100.1" }, socket })).toBe("127.0.0.1")
  })

  it.each([
    ["198.51.100.1", "198.51.100.1"],
    ["192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["192.0.2.66, 198.51.100.1, 10.1.1.1", "198.51.100.1"],
    ["10.9.9.9, 10.1.1.1", "10.9.9.9"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["[2001:db8:1:2:3::4]:4711, ::ffff:10.0.0.7", "2001:db8:1:2::"],
    ["fe80::1%eth0", "fe80:0:0:0::"],
    ["not an address", "10.0.0.1"],
    ["198.51.100.1, unknown, 10.1.1.1", "10.1.1.1"],
    ["", "10.0.0.1"],
  ])("of X-Forwarded-For %j is %s: read from its end, up to the first untrusted address", (value, address) => {
    expect(addressOf("10.0.0.1", { "x-forwarded-for": value })).toBe(address)
    expect(addressOf("::ffff:10.0.0.1", { "x-forwarded-for": value })).toBe(address)
  })

  it.each([
    ["for=198.51.100.1", "198.51.100.1"],
    ["for=192.0.2.66, for=198.51.100.1;proto=https;by=10.0.0.1", "198.51.100.1"],
    ['For="[2001:db8:1:2:3::4]:4711"', "2001:db8:1:2::"],
    ['proto=https; for="198.51.100.1:80"', "198.51.100.1"],
    ["for=_hidden", "10.0.0.1"],
    ["proto=https", "10.0.0.1"],
  ])("of Forwarded %j is %s", (value, address) => {
    expect(addressOf("10.0.0.1", { forwarded: value }, "forwarded")).toBe(address)
  })

  it("comes from the configured header only: proxies pass the other one through unchecked", () => {
    const headers = { "x-forwarded-for": "198.51.100.1", forwarded: "for=192.0.2.66" }
    expect(addressOf("10.0.0.1", headers)).toBe("198.51.100.1")
    expect(addressOf("10.0.0.1", headers, "forwarded")).toBe("192.0.2.66")
  })

  it("is never one that the client itself wrote into the header", () => {
    fc.assert(
      fc.property(fc.string(), (forged) => {
        expect(addressOf("10.0.0.1", { "x-forwarded-for": `${forged}, 198.51.100.1` })).toBe("198.51.100.1")
      }),
    )
  })
})

it.each(["10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0", "proxy.example.com", ""])(
  "%j is not a network",
  (text) => {
    expect(parseNetwork(text)).toBeUndefined()
    expect(() => createClientAddresses([text])).toThrow(/not an address or a network/)
  },
)

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["::1", "0:0:0:0::"],
  ["fe80::1%eth0", "fe80:0:0:0::"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::9", "2001:db8:1:2::"],
  ["2001:db8::1:2:3:4", "2001:db8:0:0::"],
  ["1::", "1:0:0:0::"],
  [undefined, ""],
])("[SEC-9] the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
