import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { clearToken, keepToken, takeToken, tokenFromPaste } from "./intake.ts"

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
  it("[SEC-2] the token in the fragment is taken, stored in this browser, and the address is cleared", () => {
    const storage = memory()
    const keep = keepIn(() => storage)
    const first = pageAt("#token=abc%2Bdef")
    expect(takeToken(first, keep)).toEqual({ token: "abc+def", offered: undefined })
    expect(first.addresses).toEqual(["/"])
    const later = pageAt("")
    expect(takeToken(later, keep)).toEqual({ token: "abc+def", offered: undefined })
    expect(later.addresses).toEqual([])
  })

  it("[SEC-37] another token than the stored one is only offered; the same one changes nothing; both leave the address", () => {
    const storage = memory()
    const keep = keepIn(() => storage)
    keepToken("mine", keep)
    const other = pageAt("#token=theirs")
    expect(takeToken(other, keep)).toEqual({ token: "mine", offered: "theirs" })
    expect(takeToken(pageAt(""), keep)).toEqual({ token: "mine", offered: undefined })
    const same = pageAt("#token=mine")
    expect(takeToken(same, keep)).toEqual({ token: "mine", offered: undefined })
    const unreadable = pageAt("#token=%E0%A4%A")
    expect(takeToken(unreadable, keep)).toEqual({ token: "mine", offered: undefined })
    for (const page of [other, same, unreadable]) expect(page.addresses).toEqual(["/"])
  })

  it("[SEC-37] in a page that is open, the address is again what it was before", () => {
    const open = pageAt("#token=theirs")
    expect(clearToken(open, "#/critic")).toBe("theirs")
    expect(open.addresses).toEqual(["/#/critic"])
    const plain = pageAt("#/critic")
    expect(clearToken(plain, "#/host")).toBeUndefined()
    expect(plain.addresses).toEqual([])
  })

  it("without a token there is none, even where the browser refuses to store anything", () => {
    const refusing = keepIn(() => {
      throw new Error("denied")
    })
    const none = { token: undefined, offered: undefined }
    expect(takeToken(pageAt(""), refusing)).toEqual(none)
    expect(takeToken(pageAt("#/critic"), refusing)).toEqual(none)
    expect(takeToken(pageAt("#token=abc"), refusing)).toEqual({ token: "abc", offered: undefined })
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
