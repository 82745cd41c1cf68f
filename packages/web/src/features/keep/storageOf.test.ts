import { describe, expect, it } from "vitest"
import { storageIn } from "./fixtures.ts"
import { dropUnowned, storageOf } from "./storageOf.ts"

describe("[SEC-2] the part of a browser's storage that is one person's", () => {
  it("holds what this person put there, by the name they gave it, and nothing of anybody else", () => {
    const { storage, items } = storageIn({ "parlor.theme": "dark" })
    const [ann, bob] = [storageOf("ann", storage), storageOf("bob", storage)]
    ann.setItem("composer.host/main", "for my eyes")
    bob.setItem("composer.host/main", "mine")
    bob.setItem("palette", "x")
    expect(ann.getItem("composer.host/main")).toBe("for my eyes")
    expect(bob.getItem("composer.host/main")).toBe("mine")
    const names = (part: typeof ann) => Array.from({ length: part.length }, (_, index) => part.key(index))
    expect(names(ann)).toEqual(["composer.host/main"])
    expect(names(bob)).toEqual(["composer.host/main", "palette"])
    expect([ann.key(1), ann.getItem("palette"), ann.getItem("parlor.theme")]).toEqual([null, null, null])
    bob.removeItem("palette")
    expect([...items.keys()].filter((name) => name.includes("bob"))).toHaveLength(1)
  })

  it("a person whose name begins another's has nothing of the other", () => {
    const { storage } = storageIn({})
    storageOf("ab", storage).setItem("x", "1")
    const a = storageOf("a", storage)
    expect([a.length, a.getItem("b.x")]).toEqual([0, null])
    a.forget()
    expect(storageOf("ab", storage).getItem("x")).toBe("1")
  })

  it("is gone when it is forgotten, and what comes late does not come back", () => {
    const { storage, items } = storageIn({ "parlor.theme": "dark" })
    const [ann, bob] = [storageOf("ann", storage), storageOf("bob", storage)]
    for (const part of [ann, bob]) for (const name of ["one", "two"]) part.setItem(name, "words")
    ann.forget()
    ann.setItem("three", "late words")
    expect([...items.keys()]).toEqual(["parlor.theme", "parlor.of.bob.one", "parlor.of.bob.two"])
  })
})

it("[SEC-2] words of which nobody knows whose they are go; settings of the browser and what has an owner stay", () => {
  const words = [
    "parlor.composer.host/main",
    "parlor.draft.host/main",
    "parlor.edited-from.host/main",
    "parlor.while-busy.host/main",
    "parlor.file-draft.host/main/a.txt",
    'parlor.outbox ["http://p","","host","main"] key',
    "parlor.palette",
  ]
  const others = [
    "parlor.token",
    "parlor.theme",
    "parlor.notify",
    "parlor.tabs.lists.p",
    "parlor.of.p.composer.host/a",
    "x",
  ]
  const { storage, items } = storageIn(Object.fromEntries([...words, ...others].map((name) => [name, "1"])))
  dropUnowned(storage)
  expect([...items.keys()]).toEqual(others)
})
