import { Parlor } from "@parlor/client"
import type { FeedRow } from "@parlor/protocol"
import { feedRowWith } from "@parlor/protocol/testing"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { LISTED_TABS } from "../tab/budgets.ts"
import { DeskContext } from "../tab/DeskContext.ts"
import { Desk } from "../tab/desk.ts"
import { OpeningLine } from "../tab/OpeningLine.tsx"
import { openShelf } from "../tab/shelf.ts"
import type { Tab } from "../tab/tabList.ts"
import { clock } from "../tab/tabWords.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { CounterTable } from "./MemoryUse.tsx"
import { NewChat, newChatAddress } from "./NewChat.tsx"
import { Rail } from "./Rail.tsx"
import { TabItem } from "./TabItem.tsx"
import { TabList } from "./TabList.tsx"
import { tabItems } from "./tabItems.ts"
import { UndoBar } from "./UndoBar.tsx"

const refuse = () => {
  throw new Error("no browser here")
}
const parlor = new Parlor({ baseUrl: "http://parlor.test", token: "t" })
const row = (branch: string, change: Partial<FeedRow> = {}) =>
  feedRowWith({ branch, title: `About ${branch}`, preview: "What was said last", ...change })
const tab = (branch: string, change: Partial<FeedRow> = {}): Tab => {
  return { key: `host/${branch}`, agent: "host", branch, row: row(branch, change) }
}
const nothing = () => undefined
const tabsOf = (change: Partial<Tabs> = {}): Tabs => ({
  open: [tab("crabs"), tab("weather")],
  archived: [],
  leaving: [],
  front: "host/crabs",
  undoable: undefined,
  refusal: undefined,
  mark: nothing,
  archive: nothing,
  remove: nothing,
  restore: nothing,
  undoArchive: nothing,
  dismissUndo: nothing,
  ...change,
})
const acts = { ...tabsOf(), label: nothing, select: nothing }
const list = (tabs: Tabs) => onDesk(<TabList tabs={tabs} defaultAgent="host" page="conversation" />)
function onDesk(node: React.ReactNode, rows: readonly FeedRow[] = []): string {
  const desk = new Desk({ parlor, person: "p", keep: keepIn(refuse), shelf: openShelf(refuse, "p"), now: () => 0 })
  desk.feed.set({ phase: "ready", connection: "live", reconnectAt: null, error: null, rows })
  return renderToStaticMarkup(<DeskContext value={desk}>{node}</DeskContext>)
}
const item = (one: Tab, isFront = false) =>
  renderToStaticMarkup(
    <ul>
      <TabItem tab={one} isFront={isFront} state="recent" defaultAgent="host" acts={acts} isStop onIntent={nothing} />
    </ul>,
  )

describe("[TAB-6] a conversation in the list", () => {
  it("has its title, what goes on in it, and says the same to screen readers, in the order it is shown", () => {
    const shown = item(tab("crabs", { state: "busy", queued: 2, unread: true, labels: ["Sea"] }))
    expect(shown).toContain("About crabs")
    expect(shown).toContain('class="sr-only">, Sea, running, 2 queued, unread<')
    expect(shown).not.toMatch(/<a [^>]*aria-label/)
    for (const kind of ["running", "queued", "unread"]) expect(shown).toContain(`data-capsule="${kind}"`)
  })

  it("in front is marked as such and has nothing unread to tell", () => {
    const shown = item(tab("crabs", { unread: true }), true)
    expect(shown).toContain('aria-current="page"')
    expect(shown).not.toContain("data-capsule")
  })

  it.each([
    ["needs-you", { asks: 1 }, "needs you"],
    ["failed", { state: "error" }, "failed"],
    ["done", { unread: true }, "done, unread"],
    ["queued", { queued: 3, held: true }, "3 queued, paused"],
  ] as const)("that is %s says so in words, too", (kind, change, words) => {
    const shown = item(tab("crabs", change))
    expect(shown).toContain(`data-capsule="${kind}"`)
    expect(shown).toContain(`, ${words}<`)
  })

  it("[TAB-37] is never called by its address, and shows its agent only if that is not the default", () => {
    const shown = item(tab("topic-13", { title: "" }))
    expect(shown).toContain(">New conversation<")
    expect(shown).not.toContain("face ")
    expect(item({ ...tab("a"), agent: "critic" })).toContain("face ")
    const draft = item({ key: "host/main", agent: "host", branch: "main", row: undefined })
    expect(draft).toContain("Draft")
    expect(draft).not.toContain("More actions")
  })
})

describe("[TAB-1] the list of conversations", () => {
  it("is one stop for the Tab key, and says which state each is in", () => {
    const shown = list(tabsOf())
    expect(shown.match(/<a [^>]*tabindex="0"/g)).toHaveLength(1)
    expect(shown.match(/data-state="discarded"/g)).toHaveLength(2)
  })

  it("[TAB-21] has a heading per day", () => {
    const open = [tab("p", { pinned: true }), tab("now", { activityAt: Date.now() })]
    expect(list(tabsOf({ open }))).toMatch(/<h2[^>]*>Pinned<\/h2>.*About p.*<h2[^>]*>Today<\/h2>.*About now/s)
    expect(list(tabsOf({ open: [] }))).toContain("Your conversations will be listed here.")
  })

  it("shows the first of many, the one in front, and the rest when asked", () => {
    const open = Array.from({ length: LISTED_TABS + 5 }, (_, index) => tab(String(index)))
    expect(list(tabsOf({ open })).match(/data-tab=/g)).toHaveLength(LISTED_TABS)
    expect(list(tabsOf({ open }))).toContain(`Show all ${LISTED_TABS + 5}`)
    expect(list(tabsOf({ open, front: `host/${LISTED_TABS + 2}` }))).toContain(`data-tab="host/${LISTED_TABS + 2}"`)
  })

  it("[TAB-46] shows the first of many archived ones", () => {
    const archived = Array.from({ length: LISTED_TABS + 5 }, (_, index) => tab(String(index), { archived: true }))
    const shown = list(tabsOf({ open: [], archived, front: `host/${LISTED_TABS + 2}` }))
    expect(shown.match(/data-tab=/g)).toHaveLength(LISTED_TABS + 1)
    expect(shown).toContain(`Show all ${LISTED_TABS + 5}`)
  })

  it("[TAB-46] keeps archived ones apart, closed unless one of them is in front", () => {
    const archived = [tab("old", { archived: true })]
    const apart = list(tabsOf({ archived }))
    expect(apart).toContain("Archived 1")
    expect(apart).not.toContain("About old")
    expect(list(tabsOf({ archived, front: "host/old" }))).toContain('data-state="archived"')
  })

  it("[ADR-9] offers its labels as filters, if there are any", () => {
    expect(list(tabsOf())).not.toContain("Filter by label")
    expect(list(tabsOf({ open: [tab("a", { labels: ["Rome"] })] }))).toMatch(/aria-pressed="false"[^>]*>Rome</)
  })

  it("[TAB-38] collapsed it has a new chat, search and settings, and a dot when somebody waits", () => {
    const rail = (open: readonly Tab[]) => onDesk(<Rail agents={agents} tabs={{ open }} onShow={nothing} />)
    const labels = [...rail([tab("crabs")]).matchAll(/aria-label="([^"]+)"/g)].map(([, label]) => label)
    expect(labels).toEqual(["Sidebar", "Show sidebar", "New chat", "Search", "Settings"])
    expect(rail([tab("weather", { asks: 1 })])).toMatch(/needs you.*bg-warn/s)
  })
})

describe("the menu of a conversation", () => {
  const labels = (one: Tab) =>
    tabItems(one, { ...acts, rename: nothing }).map((entry) => (entry === "line" ? "-" : entry.label))

  it("offers what fits it; a draft is not on the server yet", () => {
    expect(labels(tab("a")).join()).toBe("Rename,Pin,Labels…,Mark as unread,Select,-,Archive,Delete")
    expect(labels(tab("a", { pinned: true, unread: true, archived: true })).join()).toBe(
      "Rename,Unpin,Labels…,Mark as read,Select,-,Unarchive,Delete",
    )
    expect(labels({ ...tab("a"), row: undefined })).toEqual([])
  })

  it("does what it says", () => {
    const done: unknown[] = []
    const many = (what: string) => (tabs: readonly Tab[]) => void done.push([what, ...tabs.map(({ branch }) => branch)])
    const items = tabItems(tab("a"), {
      mark: (one, marks) => done.push([one.branch, marks]),
      archive: many("archive"),
      remove: many("remove"),
      rename: () => done.push("rename"),
      label: () => done.push("label"),
      select: () => done.push("select"),
    })
    for (const entry of items) if (entry !== "line" && entry.disabled !== true) entry.onChoose()
    expect(done).toEqual([
      "rename",
      ["a", { pinned: true }],
      "label",
      ["a", { read: false }],
      "select",
      ["archive", "a"],
      ["remove", "a"],
    ])
  })
})

const agents = ["host", "critic"].map((name) => ({ name, description: "Helps.", model: "demo", slashCommands: [] }))

describe("a new chat", () => {
  it("[TAB-38] is with the default agent, or with another from its menu", () => {
    const shown = (some: typeof agents) => renderToStaticMarkup(<NewChat agents={some} rows={[]} />)
    expect(shown(agents)).toMatch(/New chat<\/button>.*aria-label="New chat with another agent"/s)
    expect(shown(agents.slice(0, 1))).not.toContain("another agent")
    expect(shown([])).toContain('disabled=""')
  })

  it("[ADR-12] is the main conversation if there is none yet, and a new one after that", () => {
    expect(newChatAddress("host", [])).toBe("#/host")
    expect(newChatAddress("host", [row("main")])).toMatch(/^#\/host\/chat-[0-9a-z]{12}$/)
    expect(newChatAddress("critic", [row("main")])).toBe("#/critic")
  })
})

it("[ADR-10] what was deleted can be undone, by its name or by how many there are", () => {
  const bar = (change: Partial<Tabs>) => renderToStaticMarkup(<UndoBar tabs={tabsOf(change)} />)
  expect(bar({})).not.toContain("Undo")
  expect(bar({ leaving: [tab("a", { deleteAt: 9 })] })).toMatch(/“About a” deleted.*Undo/s)
  expect(bar({ leaving: [tab("a", { deleteAt: 9 }), tab("b", { deleteAt: 9 })] })).toContain("2 conversations deleted")
  expect(bar({ undoable: { kind: "archived", tabs: [tab("a")] } })).toContain("“About a” archived")
})

describe("[TAB-2, TAB-4] above a conversation that opens", () => {
  const line = (asOf: number | undefined, isLoading: boolean) =>
    onDesk(<OpeningLine agent="host" branch="crabs" asOf={asOf} isLoading={isLoading} />, [row("crabs", { queued: 2 })])

  it("old messages are marked as such; what waits is told before it is loaded; later nothing stands there", () => {
    expect(line(5, false)).toContain(`As of ${clock(5)}, loading new messages… 2 in the queue.`)
    expect(line(5, false)).toContain('data-stale="true"')
    expect(line(undefined, true)).toContain("Loading. 2 in the queue.")
    expect(line(undefined, false)).toBe("")
  })
})

it("[TAB-5] a counter above its budget stands out", () => {
  const counter = { name: "messageLists", label: "Message lists", value: 1, most: 1, unit: "count" } as const
  expect(renderToStaticMarkup(<CounterTable counters={[counter]} />)).not.toContain("text-warn")
  const over = renderToStaticMarkup(<CounterTable counters={[{ ...counter, value: 2 }]} />)
  expect(over).toContain("text-warn")
  expect(over).toContain("2 of 1")
})
