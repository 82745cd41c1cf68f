import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { keepToken, takeToken, tokenFromPaste } from "./intake.ts"

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

function pageAt(hash: string) {
  const addresses: string[] = []
  return {
    addresses,
    location: { hash, pathname: "/", search: "" },
    history: { replaceState: (_state: null, _unused: string, address: string) => void addresses.push(address) },
  }
}

describe("token intake", () => {
  it("[SEC-2] the token in the fragment is taken, kept for this browser, and the address is cleared", () => {
    const storage = memory()
    const keep = keepIn(() => storage)
    const first = pageAt("#token=abc%2Bdef")
    expect(takeToken(first, keep)).toBe("abc+def")
    expect(first.addresses).toEqual(["/"])
    const later = pageAt("")
    expect(takeToken(later, keep)).toBe("abc+def")
    expect(later.addresses).toEqual([])
  })

  it("[SEC-2] a newly handed token replaces the one that was kept", () => {
    const storage = memory()
    const keep = keepIn(() => storage)
    keepToken("old", keep)
    expect(takeToken(pageAt("#token=new"), keep)).toBe("new")
    expect(takeToken(pageAt(""), keep)).toBe("new")
  })

  it("without a token there is none, also where the browser refuses to keep anything", () => {
    const refusing = keepIn(() => {
      throw new Error("denied")
    })
    expect(takeToken(pageAt(""), refusing)).toBeUndefined()
    expect(takeToken(pageAt("#/critic"), refusing)).toBeUndefined()
    expect(takeToken(pageAt("#token=abc"), refusing)).toBe("abc")
  })

  it.each([
    ["http://127.0.0.1:4141/#token=abc", "abc"],
    ["Parlor is ready: http://127.0.0.1:4141/#token=abc ", "abc"],
    ["#token=abc", "abc"],
    ["  abc-DEF_123 ", "abc-DEF_123"],
    ["", undefined],
    ["not a token", undefined],
    ["#token=%E0%A4%A", undefined],
  ])("reads the token out of what was pasted: %j", (pasted, token) => {
    expect(tokenFromPaste(pasted)).toBe(token)
  })
})
