import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FakeClock, MemoryStore } from "@parlor/core/testing"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { addKeyToFile, parseKeys } from "./key-file.ts"
import { openSeal } from "./open-seal.ts"
import { createSeal, secretKey } from "./seal.ts"

const one = secretKey(Buffer.alloc(32, 1))
const two = secretKey(Buffer.alloc(32, 2))

describe("[SEC-29] a sealed value", () => {
  test("opens with its key, in its place, and reveals nothing else", () => {
    const seal = createSeal([one])
    const text = fc.string({ unit: "binary" }).map((value) => value.toWellFormed())
    fc.assert(
      fc.property(text, text, (secret, about) => {
        const value = seal.seal(secret, about)
        expect(seal.open(value, about)).toBe(secret)
        expect(seal.open(value, `${about}x`)).toBeUndefined()
        expect(value).toMatch(new RegExp(`^sealed:1:${one.id}:[\\w-]+$`))
        expect(seal.seal(secret, about)).not.toBe(value)
      }),
    )
  })

  test("that was changed anywhere does not open", () => {
    const seal = createSeal([one])
    const value = seal.seal("whsec_abc", "here")
    const start = value.lastIndexOf(":") + 1
    for (let at = start; at < value.length - 1; at++) {
      const other = value[at] === "A" ? "B" : "A"
      expect(seal.open(value.slice(0, at) + other + value.slice(at + 1), "here")).toBeUndefined()
    }
    expect(seal.open(value.slice(0, -8), "here")).toBeUndefined()
    expect(seal.open(value.slice(0, start), "here")).toBeUndefined()
  })

  test("of an earlier key opens and is not current; without that key it does not open", () => {
    const value = createSeal([one]).seal("whsec_abc", "here")
    expect(createSeal([two, one]).open(value, "here")).toBe("whsec_abc")
    expect(createSeal([two, one]).isCurrent(value)).toBe(false)
    expect(createSeal([one, two]).isCurrent(value)).toBe(true)
    expect(createSeal([two]).open(value, "here")).toBeUndefined()
  })

  test("from an older version, in plain text, opens unchanged", () => {
    expect(createSeal([one]).open("whsec_abc", "here")).toBe("whsec_abc")
    expect(createSeal([one]).isCurrent("whsec_abc")).toBe(false)
  })
})

describe("[SEC-29] the keys of a server", () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parlor-seal-"))
    file = join(folder, "inner", "secret-key")
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test("one is made in a file that only its owner can read, and used from then on", async () => {
    const store = new MemoryStore(new FakeClock())
    const value = (await openSeal(store, { file })).seal("s", "here")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, "inner")).mode & 0o777).toBe(0o700)
    expect((await openSeal(store, { file })).open(value, "here")).toBe("s")
    const keys = readFileSync(file, "utf8").trim()
    expect((await openSeal(store, { keys, file: join(folder, "elsewhere") })).open(value, "here")).toBe("s")
  })

  test("a key other than the store's is rejected, with what to do; a store's first key decides", async () => {
    const store = new MemoryStore(new FakeClock())
    await openSeal(store, { file })
    const other = join(folder, "other")
    await expect(openSeal(store, { file: other })).rejects.toThrow(
      /sealed with the key \w{16}, and this server has no key.*PARLOR_SECRET_KEY_LOST/,
    )
    expect(() => statSync(other)).toThrow()
    addKeyToFile(other)
    await expect(openSeal(store, { file: other })).rejects.toThrow(/this server has the key \w{16}.*copy it from/)
  })

  test("of two that start at once without a key, one continues and the other is told", async () => {
    const store = new MemoryStore(new FakeClock())
    const files = [join(folder, "a"), join(folder, "b")]
    const started = await Promise.allSettled(files.map((one) => openSeal(store, { file: one })))
    expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    const loser = files[started.findIndex(({ status }) => status === "rejected")] ?? ""
    expect(() => statSync(loser)).toThrow()
  })

  test("a new key before the old one is a rotation; afterwards the old one alone is refused", async () => {
    const store = new MemoryStore(new FakeClock())
    const value = (await openSeal(store, { file })).seal("s", "here")
    const before = readFileSync(file, "utf8")
    addKeyToFile(file)
    const after = await openSeal(store, { file })
    expect(after.open(value, "here")).toBe("s")
    expect(after.isCurrent(after.seal("s", "here"))).toBe(true)
    expect(after.isCurrent(value)).toBe(false)
    writeFileSync(file, before)
    await expect(openSeal(store, { file })).rejects.toThrow(/sealed with the key/)
  })

  test("a lost key can be given up, together with what it sealed", async () => {
    const store = new MemoryStore(new FakeClock())
    const value = (await openSeal(store, { file })).seal("s", "here")
    rmSync(file)
    const again = await openSeal(store, { file, isLost: true })
    expect(again.open(value, "here")).toBeUndefined()
    expect(again.open(again.seal("t", "here"), "here")).toBe("t")
    await openSeal(store, { file })
  })

  test.each(["short", "x".repeat(64), `${"a".repeat(44)},b`])("%j is not a key", (text) => {
    expect(() => parseKeys(text, "PARLOR_SECRET_KEY")).toThrow(/PARLOR_SECRET_KEY contains something that is not a key/)
  })

  test("hex, base64 and base64url are the same key", () => {
    const bytes = Buffer.alloc(32, 0xfb)
    const [hex, base64, url] = [bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url")]
    const keys = parseKeys(`${hex},${base64}\n${url}\n`, "")
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
    expect(keys).toHaveLength(3)
  })
})
