import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import type { Entry } from "./entries.ts"
import { zipOf } from "./zip.ts"

const AT = new Date("2026-11-18T10:00:00Z")
const MB = 1024 * 1024

async function* pieces(...all: readonly (string | Uint8Array | Error)[]): AsyncGenerator<string | Uint8Array> {
  for (const piece of all) {
    if (piece instanceof Error) throw piece
    yield piece
  }
}

async function* entries(...all: readonly Entry[]): AsyncGenerator<Entry> {
  yield* all
}

async function bytesOf(zip: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = []
  for await (const piece of zip) found.push(piece)
  return Buffer.concat(found)
}

it("[SEC-41] two files that would have the same path have different ones", async () => {
  const one = (path: string): Entry => ({ path, pieces: pieces("x") })
  const zip = await bytesOf(zipOf(entries(one("a/b.txt"), one("a/B.txt"), one("a/b.txt"), one(".x"), one(".x")), AT))
  for (const path of ["a/b.txt", "a/B (2).txt", "a/b (3).txt", ".x", ".x (2)"]) expect(zip.includes(path)).toBe(true)
})

it("[SEC-41] reads no faster than its reader, and stops when the reader leaves", async () => {
  let read = 0
  let hasEnded = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        read += 1
        yield randomBytes(MB)
      }
    } finally {
      hasEnded = true
    }
  }
  let sent = 0
  for await (const piece of zipOf(entries({ path: "endless", pieces: endless() }), AT)) {
    sent += piece.length
    expect(read).toBeLessThanOrEqual(sent / MB + 8)
    if (sent > 20 * MB) break
  }
  await expect.poll(() => hasEnded).toBe(true)
  expect(read).toBeLessThan(40)
})

it("[SEC-41] an archive that cannot be completed fails, and does not seem complete", async () => {
  const broken = { path: "b", pieces: pieces("some", new Error("the store is down")) }
  await expect(bytesOf(zipOf(entries({ path: "a", pieces: pieces("x") }, broken), AT))).rejects.toThrow("store is down")
  async function* failing(): AsyncGenerator<Entry> {
    yield { path: "a", pieces: pieces("x") }
    throw new Error("the list is gone")
  }
  await expect(bytesOf(zipOf(failing(), AT))).rejects.toThrow("the list is gone")
})
