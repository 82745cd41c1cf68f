import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { placeIn } from "../place/place.ts"
import { entriesOf, fitting, MAX_SHOWN, type Stock, searchEntry } from "./entries.ts"
import { keepRecent, MAX_KEPT, recentIn } from "./recent.ts"

const row = (branch: string, title: string, more = {}) => ({
  agent: "host",
  branch,
  title,
  preview: "",
  archived: false,
  ...more,
})
const stock: Stock = {
  place: placeIn("#/host"),
  conversations: [
    row("main", "Everything else"),
    row("trip", "A trip to Rome", { preview: "Trains are cheaper" }),
    row("old", "Long ago", { archived: true }),
    row("untitled", ""),
  ],
  agents: [{ name: "critic", description: "Finds what is wrong" }],
  commands: [{ name: "remember", description: "Keeps a fact" }],
  bound: ["palette", "newChat", "keyboard", "numberedTab"],
}
const entries = entriesOf(stock)
const first = (typed: string, recent: readonly string[] = []) => fitting(entries, typed, recent)[0]

describe("the palette", () => {
  it("[TAB-36] has other conversations, agents, commands and what can be done now", () => {
    expect(entries.map(({ kind, words }) => `${kind}: ${words}`)).toEqual([
      "Conversations: A trip to Rome",
      "Conversations: New conversation",
      "Agents: New chat with critic",
      "Commands: /remember",
      "Actions: New chat",
      "Actions: Keyboard shortcuts",
      "Archived: Long ago",
    ])
  })

  it("[TAB-36] leaves out empty conversations and deleted ones", () => {
    const gone = [row("a", "Empty", { spoken: false }), row("b", "Deleted", { deleteAt: 9 })]
    expect(entriesOf({ ...stock, conversations: gone }).some(({ kind }) => kind === "Conversations")).toBe(false)
  })

  it("[TAB-36] says which conversations are side chats", () => {
    const rows = [
      row("a", "Plan", { preview: "Soon", ephemeral: true }),
      row("b", "Plan"),
      row("c", "", { ephemeral: false }),
    ]
    const abouts = entriesOf({ ...stock, conversations: rows }).flatMap(({ kind, about }) =>
      kind === "Conversations" ? [about] : [],
    )
    expect(abouts).toEqual(["side chat · host · Soon", "host", "host"])
  })

  it("[TAB-36] on another page the conversation one came from is a way back", () => {
    const there = entriesOf({ ...stock, place: placeIn("#memory/host") })
    expect(there[0]).toMatchObject({ words: "Everything else", deed: { kind: "go", address: "#/host" } })
  })

  it("finds by name first, and by what it is about", () => {
    expect(first("rome")?.deed).toEqual({ kind: "go", address: "#/host/trip" })
    expect(first("cheaper")?.words).toBe("A trip to Rome")
    expect(first("wrong")?.words).toBe("New chat with critic")
    expect(first("new chat")?.deed).toEqual({ kind: "run", shortcut: "newChat" })
    expect(first("/rem")?.deed).toEqual({ kind: "insert", text: "/remember " })
    expect(fitting(entries, "nothing like it", [])).toEqual([])
  })

  it("shows what was used last first, and not twice", () => {
    const shown = fitting(entries, "", ["do newChat", "gone", "agent critic"])
    expect(shown.slice(0, 3).map(({ kind, words }) => [kind, words])).toEqual([
      ["Recent", "New chat"],
      ["Recent", "New chat with critic"],
      ["Conversations", "A trip to Rome"],
    ])
    expect(new Set(shown.map(({ id }) => id)).size).toBe(entries.length)
  })

  it("of two that fit alike the one used before goes first", () => {
    const twins = [row("a", "Plan"), row("b", "Plan")]
    const two = entriesOf({ ...stock, conversations: twins })
    expect(fitting(two, "plan", ["conversation host/b"])[0]?.id).toBe("conversation host/b")
    expect(fitting(two, "plan", [])[0]?.id).toBe("conversation host/a")
  })

  it("stays short, however many conversations there are", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => row(`b${index}`, `Topic ${index}`))
    const all = entriesOf({ ...stock, conversations: many })
    expect(fitting(all, "", [])).toHaveLength(MAX_SHOWN)
    expect(fitting(all, "topic", [])).toHaveLength(MAX_SHOWN - 1)
  })

  it("offers to search for what is typed", () => {
    const entry = searchEntry(" a b/c ", { agent: "host", branch: "main" })
    expect(entry.words).toBe("Search everything for “a b/c”")
    expect(entry.deed.kind === "go" && placeIn(entry.deed.address)).toMatchObject({ page: "search", detail: "a b/c" })
  })
})

describe("what was chosen lately", () => {
  it("is kept newest first, each once, and only so many", () => {
    const items = new Map<string, string>()
    const keep = keepIn(() => ({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    }))
    expect(recentIn(keep)).toEqual([])
    for (const id of ["a", "b", "a", "search", "x\ny"]) keepRecent(id, keep)
    expect(recentIn(keep)).toEqual(["a", "b"])
    for (let index = 0; index < 30; index++) keepRecent(`id ${index}`, keep)
    expect(recentIn(keep)).toHaveLength(MAX_KEPT)
    expect(recentIn(keep)[0]).toBe("id 29")
  })
})
