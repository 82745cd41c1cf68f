import { describe, expect, test } from "vitest"
import { memoryStorage } from "../../test/storage.ts"
import { type OutboxStorage, StoredSends } from "./stored-sends.ts"

function storage(items: Record<string, string> = {}): OutboxStorage & { readonly kept: Map<string, string> } {
  const kept = new Map(Object.entries(items))
  return Object.assign(memoryStorage(kept), { kept })
}
const send = (key: string, at: number) => ({ key, at, body: { text: key } })

describe("undelivered sends", () => {
  test("[LOG-12] are kept by conversation, oldest first, until they are removed", () => {
    const browser = storage()
    const here = new StoredSends("host main", browser)
    const elsewhere = new StoredSends("host other", browser)
    for (const one of [send("b", 2), send("a", 1), send("c", 3)]) here.save(one)
    elsewhere.save(send("x", 0))
    expect(here.load()).toEqual([send("a", 1), send("b", 2), send("c", 3)])
    here.remove("b")
    expect(here.load().map(({ key }) => key)).toEqual(["a", "c"])
    expect(elsewhere.load()).toEqual([send("x", 0)])
  })

  test("[LOG-12] what is no send is passed over", () => {
    const prefix = "parlor.outbox host main "
    const wrong = [
      "",
      "no JSON",
      "null",
      "{}",
      '{"key":1,"body":{},"at":1}',
      '{"key":"a","body":1,"at":1}',
      '{"key":"a","body":{},"at":"1"}',
    ]
    const browser = storage(Object.fromEntries(wrong.map((text, index) => [`${prefix}${index}`, text])))
    browser.setItem(`${prefix}good`, JSON.stringify({ ...send("good", 1), more: true }))
    browser.setItem(`other ${prefix}`, JSON.stringify(send("foreign", 1)))
    expect(new StoredSends("host main", browser).load()).toEqual([send("good", 1)])
  })

  test("[LOG-12] without a storage, or with a full one, nothing is kept and nothing fails", () => {
    const none = new StoredSends("host main", undefined)
    none.save(send("a", 1))
    none.remove("a")
    expect(none.load()).toEqual([])
    const full = storage()
    full.setItem = () => {
      throw new Error("full")
    }
    const sends = new StoredSends("host main", full)
    sends.save(send("a", 1))
    expect(sends.load()).toEqual([])
  })
})
