/**
 * Which addresses are public, and which belong to this machine or a private network (SEC-7). Pure: decides by the
 * bytes of an address, however it is written.
 */
import { isIP } from "node:net"

type Range = readonly [string, number]

/** Not publicly routable (IANA's special-purpose registries), and cloud metadata services. */
const BARRED_V4: readonly Range[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]
const GLOBAL_V6: Range = ["2000::", 3]
const BARRED_V6: readonly Range[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 embeds an IPv4 address, reached through anybody's relay.
  ["2002::", 16],
  ["3fff::", 20],
]
/** An IPv4 address in the last four bytes: IPv4-mapped, and NAT64. */
const CARRIES_V4: readonly Range[] = [
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
]

export function isPublicAddress(address: string): boolean {
  const bytes = bytesOf(address)
  if (bytes === undefined) return false
  if (bytes.length === 4) return isPublicV4(bytes)
  if (CARRIES_V4.some((range) => isWithin(bytes, range))) return isPublicV4(bytes.slice(12))
  return isWithin(bytes, GLOBAL_V6) && !BARRED_V6.some((range) => isWithin(bytes, range))
}

function isPublicV4(bytes: readonly number[]): boolean {
  return !BARRED_V4.some((range) => isWithin(bytes, range))
}

function isWithin(bytes: readonly number[], [start, bits]: Range): boolean {
  const range = bytesOf(start)
  if (range === undefined || range.length !== bytes.length) return false
  for (let bit = 0; bit < bits; bit++) {
    const [index, mask] = [bit >> 3, 0x80 >> (bit & 7)]
    if (((bytes[index] ?? 0) & mask) !== ((range[index] ?? 0) & mask)) return false
  }
  return true
}

/** Undefined if it is not an address. A zone (`fe80::1%eth0`) has a meaning only on this machine. */
export function bytesOf(address: string): readonly number[] | undefined {
  if (address.includes("%")) return undefined
  if (isIP(address) === 4) return address.split(".").map(Number)
  return isIP(address) === 6 ? bytesOfV6(address) : undefined
}

function bytesOfV6(address: string): readonly number[] {
  const old = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const text = old ? `${old[1]}${pair(old[2], old[3])}:${pair(old[4], old[5])}` : address
  const [head = "", tail] = text.split("::")
  const [before, after] = [words(head), words(tail ?? "")]
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...new Array<number>(gap).fill(0), ...after].flatMap((word) => [word >> 8, word & 0xff])
}

function words(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16))
}

function pair(high = "0", low = "0"): string {
  return ((Number(high) << 8) | Number(low)).toString(16)
}
