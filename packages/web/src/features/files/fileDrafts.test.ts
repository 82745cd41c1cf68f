import { expect, it } from "vitest"
import { fileDraftsIn } from "./fileDrafts.ts"

function drafts() {
  const kept = new Map<string, string>()
  const keep = {
    read: (key: string) => kept.get(key),
    write: (key: string, value: string | undefined) =>
      void (value === undefined ? kept.delete(key) : kept.set(key, value)),
  }
  return { kept, keep, store: fileDraftsIn(keep) }
}

it("[TAB-11] what was typed into a file is there after a reload, with what it was typed over", () => {
  const { keep, kept, store } = drafts()
  store.write("host/main", "a.txt", { text: "typed", hash: "h1" })
  expect(fileDraftsIn(keep).read("host/main", "a.txt")).toEqual({ text: "typed", hash: "h1" })
  expect(store.read("host/main", "b.txt")).toBeUndefined()
  expect(store.read("host/other", "a.txt")).toBeUndefined()
  store.write("host/main", "a.txt", undefined)
  expect([store.read("host/main", "a.txt"), kept.size]).toEqual([undefined, 0])
})

it("[TAB-11] a very long one lives as long as the page, and rubbish in the browser is no draft", () => {
  const { kept, keep, store } = drafts()
  const long = { text: "x".repeat(200_001), hash: "h" }
  store.write("host/main", "a.txt", long)
  expect([store.read("host/main", "a.txt"), kept.size]).toEqual([long, 0])
  for (const rubbish of ["", "no json", "1", "null", '{"text":1}']) {
    kept.set("file-draft.host/main/b.txt", rubbish)
    expect(fileDraftsIn(keep).read("host/main", "b.txt")).toBeUndefined()
  }
})

it("[TAB-11] one that grows too long to be kept leaves no older one behind to come back after a reload", () => {
  const { keep, store } = drafts()
  const fits = { text: "x".repeat(200_000), hash: "h" }
  store.write("host/main", "a.txt", fits)
  expect(fileDraftsIn(keep).read("host/main", "a.txt")).toEqual(fits)
  store.write("host/main", "a.txt", { text: `${fits.text}y`, hash: "h" })
  expect(fileDraftsIn(keep).read("host/main", "a.txt")).toBeUndefined()
})

it("[TAB-11] one that was thrown away stays away, also when the browser would not let go of it", () => {
  const { kept, keep } = drafts()
  const store = fileDraftsIn({ read: keep.read, write: () => {} })
  kept.set("file-draft.host/main/a.txt", JSON.stringify({ text: "old", hash: "h" }))
  expect(store.read("host/main", "a.txt")?.text).toBe("old")
  store.write("host/main", "a.txt", undefined)
  expect(store.read("host/main", "a.txt")).toBeUndefined()
})

it("[TAB-11] an emptied file is a draft like any other", () => {
  const { keep, store } = drafts()
  store.write("host/main", "a.txt", { text: "", hash: "h" })
  expect(fileDraftsIn(keep).read("host/main", "a.txt")).toEqual({ text: "", hash: "h" })
})
