import { Parlor } from "@parlor/client"
import type { FeedRow } from "@parlor/protocol"
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
import { AgentEntries } from "./AgentEntries.tsx"
import { CounterTable } from "./MemoryUse.tsx"
import { Rail } from "./Rail.tsx"
import { TabItem } from "./TabItem.tsx"
import { TabList } from "./TabList.tsx"
import { tabItems } from "./tabItems.ts"

const refuse = () => {
  throw new Error("no browser here")
}
const parlor = new Parlor({ baseUrl: "http://parlor.test", token: "t" })
const row = (branch: string, change: Partial<FeedRow> = {}) =>
  ({
    agent: "host",
    branch,
    title: `About ${branch}`,
    preview: "What was said last",
    activityAt: 0,
    state: "idle",
    held: false,
    queued: 0,
    asks: 0,
    unread: false,
    latestFile: null,
    pinned: false,
    archived: false,
    ephemeral: false,
    ...change,
  }) as FeedRow
const tab = (branch: string, change: Partial<FeedRow> = {}): Tab => {
  return { key: `host/${branch}`, agent: "host", branch, row: row(branch, change) }
}
const nothing = () => undefined
const tabsOf = (change: Partial<Tabs> = {}): Tabs => ({
  open: [tab("crabs"), tab("weather")],
  archived: [],
  front: "host/crabs",
  canReopen: false,
  said: "",
  refusal: undefined,
  close: nothing,
  reopen: nothing,
  move: nothing,
  mark: nothing,
  ...change,
})
function onDesk(node: React.ReactNode, rows: readonly FeedRow[] = []): string {
  const desk = new Desk({ parlor, person: "p", keep: keepIn(refuse), shelf: openShelf(refuse, "p"), now: () => 0 })
  desk.feed.set({ phase: "ready", connection: "live", reconnectAt: null, error: null, rows })
  return renderToStaticMarkup(<DeskContext value={desk}>{node}</DeskContext>)
}
const item = (one: Tab, isFront = false) =>
  renderToStaticMarkup(
    <ul>
      <TabItem
        tab={one}
        isFront={isFront}
        state="recent"
        now={3_600_000}
        at={{ index: 0, count: 2 }}
        acts={tabsOf()}
        isStop
        onIntent={nothing}
      />
    </ul>,
  )

describe("[TAB-6] a tab", () => {
  it("shows its title, what was said last, how long ago, and what goes on in it", () => {
    const shown = item(tab("crabs", { state: "busy", queued: 2, unread: true }))
    expect(shown).toContain("About crabs")
    expect(shown).toContain("What was said last")
    expect(shown).toContain(">1h<")
    expect(shown).toContain('aria-label="About crabs, host, running, 2 queued, unread"')
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
    expect(shown).toContain(`aria-label="About crabs, host, ${words}"`)
  })

  it("of a conversation in which nothing was said is there all the same", () => {
    expect(item({ key: "host/main", agent: "host", branch: "main", row: undefined })).toContain("No messages yet")
  })
})

describe("[TAB-1] the list of tabs", () => {
  it("is one stop for the Tab key, and says which state each is in", () => {
    const shown = onDesk(<TabList tabs={tabsOf()} />)
    expect(shown.match(/<a [^>]*tabindex="0"/g)).toHaveLength(1)
    expect(shown.match(/data-state="discarded"/g)).toHaveLength(2)
    expect(shown).not.toContain("Reopen closed tab")
  })

  it("shows so many, and the rest when asked", () => {
    const open = Array.from({ length: LISTED_TABS + 5 }, (_, index) => tab(String(index)))
    const shown = onDesk(<TabList tabs={tabsOf({ open })} />)
    expect(shown.match(/data-tab=/g)).toHaveLength(LISTED_TABS)
    expect(shown).toContain(`Show all ${LISTED_TABS + 5}`)
  })

  it("keeps archived ones apart, closed unless one of them is in front", () => {
    const archived = [tab("old", { archived: true })]
    const apart = onDesk(<TabList tabs={tabsOf({ archived, canReopen: true })} />)
    expect(apart).toContain("Archived 1")
    expect(apart).not.toContain("About old")
    expect(apart).toContain("Reopen closed tab")
    const inFront = onDesk(<TabList tabs={tabsOf({ archived, front: "host/old" })} />)
    expect(inFront).toContain('data-state="archived"')
  })

  it("hidden to a rail, every tab is still there by name, with a dot where something goes on", () => {
    const open = [tab("crabs"), tab("weather", { asks: 1 })]
    const shown = renderToStaticMarkup(<Rail tabs={tabsOf({ open })} onShow={nothing} />)
    expect(shown).toContain('aria-label="About weather, host, needs you"')
    expect(shown.match(/bg-warn/g)).toHaveLength(1)
    expect(shown).toContain('aria-label="Show sidebar"')
  })
})

describe("the menu of a tab", () => {
  const labels = (one: Tab, at?: { index: number; count: number }) =>
    tabItems(one, at, tabsOf(), nothing).map((entry) => (entry === "line" ? "-" : entry.label))

  it("offers what fits it", () => {
    expect(labels(tab("a"), { index: 0, count: 1 }).join()).toBe(
      "Pin,Rename,Mark as unread,Archive,-,Move up,Move down,-,Close tab",
    )
    expect(labels(tab("a", { pinned: true, unread: true, archived: true })).join()).toBe(
      "Unpin,Rename,Mark as read,Unarchive",
    )
    expect(labels({ ...tab("a"), row: undefined }, { index: 0, count: 2 }).join()).toBe("Move up,Move down,-,Close tab")
  })

  it("does what it says", () => {
    const done: unknown[] = []
    const acts = {
      mark: (one: Tab, marks: object) => done.push([one.branch, marks]),
      move: (one: Tab, index: number) => done.push([one.branch, index]),
      close: (one: Tab) => done.push([one.branch, "closed"]),
    }
    const items = tabItems(tab("a"), { index: 1, count: 3 }, acts, () => done.push("rename"))
    for (const entry of items) if (entry !== "line" && entry.disabled !== true) entry.onChoose()
    expect(done).toEqual([
      ["a", { pinned: true }],
      "rename",
      ["a", { read: false }],
      ["a", { archived: true }],
      ["a", 0],
      ["a", 2],
      ["a", "closed"],
    ])
  })
})

describe("whom one can talk with", () => {
  const agents = [
    { name: "host", description: "Helps.", model: "demo", slashCommands: [] },
    { name: "critic", description: "Looks for what is wrong.", model: "demo", slashCommands: [] },
  ]
  const main: Tab = { key: "host/main", agent: "host", branch: "main", row: row("main") }

  it("an agent one talks with already begins another conversation; the others open their first", () => {
    const shown = renderToStaticMarkup(<AgentEntries parlor={parlor} agents={agents} current="host" open={[main]} />)
    expect(shown).toContain('aria-label="New chat with host"')
    expect(shown).toContain('href="#/critic"')
    expect(shown).not.toContain("New chat with critic")
  })

  it("before the agents are known there is the one in front", () => {
    const shown = renderToStaticMarkup(<AgentEntries parlor={parlor} agents={[]} current="host" open={[]} />)
    expect(shown).toContain('href="#/host"')
  })
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
