import type { ComposerInput } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { type Keep, keepIn } from "../keep/keep.ts"
import { draftsIn } from "./draft.ts"

const chips: ComposerInput = {
  source: "ask @critic",
  nodes: [
    { kind: "mention", name: "critic", start: 4, end: 11, raw: "@critic" },
    { kind: "attachment", hash: "a".repeat(64), name: "a.png", start: 11, end: 11, raw: "" },
  ],
}

function kept(): Keep & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  return { items, ...keepIn(() => storage) }
}

/** A browser: what all windows share, and as many windows as are opened. Opening with what one had is a reload. */
function browser() {
  const shared = kept()
  const open = (own: Keep = kept()) => ({ own, drafts: draftsIn(shared, own) })
  return { shared, open, reload: (window: { readonly own: Keep }) => open(window.own) }
}

describe("drafts", () => {
  it("[TAB-10] each conversation keeps its own draft across a reload, chips and attachments too", () => {
    const { open, reload } = browser()
    const window = open()
    window.drafts.write("host/main", chips)
    window.drafts.write("critic/main", { source: "other" })
    const again = reload(window).drafts
    expect(again.read("host/main")).toEqual(chips)
    expect(again.read("critic/main")).toEqual({ source: "other" })
    expect(again.read("scribe/main")).toEqual({ source: "" })
    expect(again.read("host/main")).toBe(again.read("host/main"))
  })

  it("[TAB-10] a draft is there in a new window, and gone from there once it was sent", () => {
    const { open, shared } = browser()
    const first = open()
    first.drafts.write("host/main", chips)
    expect(open().drafts.read("host/main")).toEqual(chips)
    first.drafts.write("host/main", { source: "" })
    expect(open().drafts.read("host/main")).toEqual({ source: "" })
    expect(shared.items.size).toBe(0)
  })

  it("[TAB-10] two windows do not write over each other, also when both are reloaded", () => {
    const { open, reload } = browser()
    const [a, b] = [open(), open()]
    a.drafts.write("host/main", { source: "from A" })
    b.drafts.write("host/main", { source: "from B" })
    expect(a.drafts.read("host/main").source).toBe("from A")
    expect(reload(a).drafts.read("host/main").source).toBe("from A")
    a.drafts.write("host/main", { source: "" })
    expect(reload(a).drafts.read("host/main").source).toBe("")
    expect(reload(b).drafts.read("host/main").source).toBe("from B")
    expect(open().drafts.read("host/main").source).toBe("from B")
  })

  it("[TAB-20] tells where there is one without beginning it: what another window writes later is what this one begins with", () => {
    const { open } = browser()
    const [a, b] = [open(), open()]
    expect(b.drafts.has("host/main")).toBe(false)
    a.drafts.write("host/main", chips)
    expect([a.drafts.has("host/main"), b.drafts.has("host/main"), b.drafts.has("host/other")]).toEqual([
      true,
      true,
      false,
    ])
    a.drafts.write("host/main", { source: "changed" })
    expect(b.drafts.read("host/main").source).toBe("changed")
    a.drafts.write("host/main", { source: "" })
    expect(a.drafts.has("host/main")).toBe(false)
  })

  it("what was stored and is not what it should be costs the chips, never the page", () => {
    const { open, shared } = browser()
    shared.write(
      "composer.a",
      JSON.stringify({ source: "@x", nodes: [{ kind: "mention", start: 0, end: 9, raw: "" }] }),
    )
    shared.write("composer.b", "null")
    shared.write("composer.c", "{")
    const { drafts } = open()
    expect(["a", "b", "c"].map(drafts.read)).toEqual([{ source: "@x" }, { source: "" }, { source: "" }])
  })

  it("[TAB-10] words put into the box go before what is there, and whoever shows it is told", () => {
    const { drafts } = browser().open()
    let told = 0
    const stop = drafts.subscribe(() => void told++)
    drafts.write("host/main", { source: "second" })
    drafts.give("host/main", "first")
    expect(drafts.read("host/main").source).toBe("first\nsecond")
    drafts.give("host/main", chips)
    expect(drafts.read("host/main").source).toBe("ask @critic\nfirst\nsecond")
    expect(drafts.read("host/main").nodes?.map(({ start }) => start)).toEqual([4, 24])
    stop()
    drafts.write("host/main", { source: "" })
    expect(told).toBe(3)
  })

  it("[TAB-10] a browser that keeps nothing keeps the words while the page is open", () => {
    const refusing = keepIn(() => {
      throw new Error("denied")
    })
    const drafts = draftsIn(refusing, refusing)
    drafts.write("host/main", chips)
    expect(drafts.read("host/main")).toBe(chips)
  })
})
