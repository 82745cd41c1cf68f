import { BlockList, isIPv4 } from "node:net"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, isPublicAddress } from "./address.ts"

describe("public addresses", () => {
  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "2002:808:808::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "not an address",
    "",
    "1.2.3",
    "0x7f.0.0.1",
    "2130706433",
    "::ffff:1.2.3.4.5",
    "[::1]",
  ])("[SEC-7] not %s", (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450::1",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2600::",
    "3ffe::1",
  ])("[SEC-7] %s is", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it("[SEC-7] all spellings of an address have the same bytes", () => {
    const property = fc.property(fc.ipV6(), (address) => {
      const bytes = bytesOf(address)
      expect(bytes).toHaveLength(16)
      const words = Array.from({ length: 8 }, (_, i) =>
        (((bytes?.[2 * i] ?? 0) << 8) | (bytes?.[2 * i + 1] ?? 0)).toString(16),
      )
      const list = new BlockList()
      list.addAddress(words.join(":"), "ipv6")
      expect(list.check(address, "ipv6")).toBe(true)
      expect(bytesOf(words.join(":"))).toEqual(bytes)
    })
    fc.assert(property, { numRuns: 500 })
  })

  it("[SEC-7] an IPv4 address inside an IPv6 one is judged like the IPv4 address", () => {
    const property = fc.property(fc.ipV4(), (address) => {
      expect(isIPv4(address)).toBe(true)
      for (const inside of [`::ffff:${address}`, `64:ff9b::${address}`])
        expect(isPublicAddress(inside)).toBe(isPublicAddress(address))
      expect(isPublicAddress(`::${address}`)).toBe(false)
    })
    fc.assert(property, { numRuns: 500 })
  })
})
