import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { storageIn } from "../keep/fixtures.ts"
import { keepIn } from "../keep/keep.ts"
import { messagesFor, placeOf, placesIn, type ReadingPlace } from "./places.ts"

const messages = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `m${index + 1}` as never }))
const place = (message: string): ReadingPlace => ({ message, topPx: -12, back: 7, seen: 9 })

function kept(items: Readonly<Record<string, string>> = {}) {
  const { storage, items: inside } = storageIn(items)
  return { keep: keepIn(() => storage), items: inside }
}

describe("[TAB-23] where one was reading", () => {
  it("is there again after a reload, for each conversation, until one has read to the end", () => {
    const { keep, items } = kept()
    const places = placesIn(keep)
    places.write("host/main", place("m1"))
    places.write("host/b", place("m2"))
    expect(placesIn(keep).read("host/main")).toEqual(place("m1"))
    places.write("host/main", undefined)
    expect([placesIn(keep).read("host/main"), placesIn(keep).read("host/b")]).toEqual([undefined, place("m2")])
    places.write("host/b", undefined)
    expect(items.size).toBe(0)
  })

  it("is kept of so many conversations, the ones left longest ago go first", () => {
    const { keep } = kept()
    const places = placesIn(keep)
    for (let index = 0; index < 50; index++) places.write(`host/${index}`, place("m"))
    places.write("host/0", place("again"))
    places.write("host/new", place("m"))
    expect([places.read("host/1"), places.read("host/0")?.message]).toEqual([undefined, "again"])
    expect(placesIn(keep).read("host/1")).toBeUndefined()
  })

  it("[TAB-24] is a message and how far it is from the newest; too far back, or not there, it is none", () => {
    const read = (row: string) => placeOf({ row, top: -3.6 }, messages(300), 300)
    expect(read("m300")).toEqual({ message: "m300", topPx: -4, back: 1, seen: 300 })
    expect(read("m200")?.back).toBe(101)
    expect(read("m141")?.back).toBe(160)
    expect([read("m140"), read("asks")]).toEqual([undefined, undefined])
  })

  it("[TAB-24] asks for as many messages as reach it, also when some came since, and never for more than a page", () => {
    expect(messagesFor(undefined)).toBeUndefined()
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(400), (count, from) => {
        const found = placeOf({ row: `m${from + 1}`, top: 0 }, messages(count), count)
        if (found === undefined) return
        const asked = messagesFor(found) ?? 0
        expect(asked).toBeLessThanOrEqual(200)
        const later = messages(count + 40).slice(-asked)
        expect(later.map(({ id }) => id)).toContain(found.message)
      }),
    )
  })

  it.each([
    "",
    "{",
    "null",
    '[["host/main",null]]',
    '[["host/main",{"message":"m","topPx":"1","back":1,"seen":1}]]',
    "[1]",
  ])("rubbish in the browser is no place: %s", (text) =>
    expect(placesIn(kept({ places: text }).keep).read("host/main")).toBeUndefined(),
  )

  it("a page that asks for thousands because of what a browser holds is not opened that way", () => {
    const text = JSON.stringify([["host/main", { ...place("m1"), back: 5_000 }]])
    expect(placesIn(kept({ places: text }).keep).read("host/main")).toBeUndefined()
  })
})
