import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { draftsIn, returned } from "./draft.ts"

function drafts() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  return { items, store: draftsIn(keepIn(() => storage)) }
}

describe("drafts", () => {
  it("[TAB-10] each conversation keeps its own draft", () => {
    const { store } = drafts()
    store.write("host/main", "hello\nthere")
    store.write("critic/main", "other")
    expect(store.read("host/main")).toBe("hello\nthere")
    expect(store.read("critic/main")).toBe("other")
    expect(store.read("scribe/main")).toBe("")
  })

  it("[TAB-10] an emptied draft leaves nothing behind", () => {
    const { items, store } = drafts()
    store.write("host/main", "hello")
    store.write("host/main", "")
    expect(items.size).toBe(0)
  })

  it("[TAB-10] words put into the box go before what is there, and whoever shows it is told", () => {
    const { store } = drafts()
    let told = 0
    const stop = store.subscribe(() => void told++)
    store.write("host/main", "second")
    store.give("host/main", "first")
    expect(store.read("host/main")).toBe("first\nsecond")
    stop()
    store.write("host/main", "")
    expect(told).toBe(2)
  })

  it("[TAB-10] a refused send comes back without losing what was written since", () => {
    expect(returned("first", "")).toBe("first")
    expect(returned("first", "second")).toBe("first\nsecond")
  })
})
