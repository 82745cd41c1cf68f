import { Parlor, type Timing } from "@parlor/client"
import { type FeedRow, formatOffset, type Snapshot } from "@parlor/protocol"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { budgets } from "./budgets.ts"
import { Desk } from "./desk.ts"
import type { Shelf } from "./shelf.ts"
import type { KeptSnapshot } from "./snapshot.ts"

/** A browser's window that nobody looks at: nothing waits for frames. */
beforeEach(() => {
  vi.stubGlobal("window", new EventTarget())
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "hidden" }))
})
afterEach(() => vi.unstubAllGlobals())

/** A server that answers when the test says so. */
function slowServer(timing: Partial<Timing>) {
  const waiting: { readonly branch: string; readonly answer: () => void }[] = []
  const rows: Partial<FeedRow>[] = []
  const down = { isDown: false }
  const fetch = (async (input: string, init: RequestInit) => {
    if (down.isDown) throw new TypeError("fetch failed")
    const { pathname } = new URL(input)
    const branch = pathname.split("/")[4] ?? ""
    if (pathname === "/v1/feed") return stream(init.signal, feedText(rows))
    if (pathname.endsWith("/events")) return stream(init.signal, "")
    return new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason))
      waiting.push({ branch, answer: () => resolve(Response.json(snapshotFor(branch))) })
    })
  }) as typeof globalThis.fetch
  return { waiting, rows, down, parlor: new Parlor({ baseUrl: "http://parlor.test", token: "t", fetch, timing }) }
}

function stream(signal: AbortSignal | null | undefined, text: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      signal?.addEventListener("abort", () => controller.error(signal.reason))
    },
  })
  return new Response(body, { headers: { "content-type": "text/event-stream" } })
}

function feedText(rows: readonly Partial<FeedRow>[]): string {
  const changes = rows.map((value) => ({
    type: "conversations",
    key: `${value.agent}/${value.branch}`,
    value,
    headers: { operation: "insert", offset: formatOffset(1) },
  }))
  const control = { streamNextOffset: formatOffset(1), upToDate: true }
  return `event: data\ndata: ${JSON.stringify(changes)}\n\nevent: control\ndata: ${JSON.stringify(control)}\n\n`
}

function snapshotFor(branch: string): Snapshot {
  const messages = [{ id: `msg_${branch}`, ord: 1, role: "agent", state: "done", parts: [], dimmed: false }]
  const status = { title: branch, state: "idle" }
  const empty = {
    queue: [],
    queued: 0,
    asks: [],
    slashCommands: [],
    archives: [],
    rollbacks: [],
    inherited: [],
    branches: [],
  }
  return { ...empty, messages, status, title: branch, older: null, offset: "1_0" } as unknown as Snapshot
}

function keptFor(branch: string): KeptSnapshot {
  const { messages, status } = snapshotFor(branch)
  return { key: `host/${branch}`, asOf: 1, bytes: 1, status, messages }
}

function memoryShelf() {
  const kept = new Map<string, KeptSnapshot>()
  let isFull = false
  /** Set to make reading as slow as the test wants. */
  const reading: { readonly wait?: (answer: () => void) => void } = {}
  const shelf: Shelf = {
    keys: async () => [...kept.keys()],
    read: (key) => new Promise((resolve) => (reading.wait ?? queueMicrotask)(() => resolve(kept.get(key)))),
    write: async (snapshot) => {
      if (isFull) return "full"
      kept.set(snapshot.key, snapshot)
      return "kept"
    },
    remove: async (key) => void kept.delete(key),
    clear: async () => kept.clear(),
  }
  const fill = () => {
    isFull = true
  }
  return { kept, shelf, fill, reading }
}

function setUp(timing: Partial<Timing> = {}) {
  const server = slowServer(timing)
  const memory = memoryShelf()
  const items = new Map<string, string>()
  const keep = keepIn(() => ({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }))
  let now = 0
  const desk = new Desk({ parlor: server.parlor, person: "p", keep, shelf: memory.shelf, now: () => ++now })
  const open = (branch: string) =>
    desk.open(server.parlor.conversation("host", branch), { pane: "front", isFront: true })
  const residents = () => desk.tabs.get().residents
  const states = () => Object.fromEntries([...residents().tabs].map(([key, tab]) => [key, tab.residency]))
  const shown = () => desk.tabs.get().panes.get("front")
  const held = (branch: string) => residents().tabs.get(`host/${branch}`)?.held
  return { ...server, ...memory, items, desk, open, residents, states, shown, held }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))
const first = (desk: ReturnType<typeof setUp>) => desk.shown()?.state?.messages[0]?.id

describe("[TAB-2, TAB-3] opening one conversation after another", () => {
  it("in whatever order the answers come, only those for the one in front are shown", async () => {
    const branch = fc.constantFrom("a", "b", "c")
    await fc.assert(
      fc.asyncProperty(
        fc.array(branch, { minLength: 2, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (visits, luck) => {
          const desk = setUp()
          for (const kept of ["a", "b", "c"]) desk.kept.set(`host/${kept}`, keptFor(kept))
          Object.assign(desk.reading, { wait: (answer: () => void) => desk.waiting.push({ branch: "", answer }) })
          let leave = () => {}
          for (const visit of visits) {
            leave()
            leave = desk.open(visit)
            await settled()
            const { waiting } = desk
            const lucky = luck.next().value % (waiting.length + 1)
            waiting.splice(lucky, 1)[0]?.answer()
            await settled()
            const shown = first(desk)
            if (shown !== undefined) expect(shown).toBe(`msg_${visit}`)
          }
          for (const late of desk.waiting) late.answer()
          await settled()
          expect(first(desk)).toBe(`msg_${visits.at(-1)}`)
          expect(desk.shown()?.asOf).toBeUndefined()
          leave()
        },
      ),
      { numRuns: 25 },
    )
  })

  it("coming back shows what was held; what was only kept in the browser is read from there", async () => {
    const desk = setUp()
    const leave = desk.open("a")
    await settled()
    desk.waiting.shift()?.answer()
    await settled()
    leave()
    desk.open("b")()
    expect(desk.held("a")).toBeDefined()
    const again = desk.open("a")
    expect([first(desk), desk.shown()?.from]).toEqual(["msg_a", "held"])
    again()
    await settled()
    expect([...desk.kept.keys()]).toEqual(["host/a"])
    const fresh = setUp()
    for (const [key, snapshot] of desk.kept) fresh.kept.set(key, snapshot)
    fresh.open("a")
    expect(first(fresh)).toBeUndefined()
    await settled()
    expect([first(fresh), fresh.shown()?.from]).toEqual(["msg_a", "kept"])
  })
})

describe("[TAB-5, TAB-16, TAB-17] what is held of each tab", () => {
  async function visit(desk: ReturnType<typeof setUp>, branch: string) {
    const leave = desk.open(branch)
    await settled()
    for (const late of desk.waiting.splice(0)) late.answer()
    await settled()
    leave()
  }

  it("messages of so many tabs stay in memory; a full browser is pressure, and discards what is not in memory", async () => {
    const desk = setUp()
    for (const branch of ["a", "b", "c", "d", "e", "f"]) await visit(desk, branch)
    const held = [..."abcdef"].filter((branch) => desk.held(branch) !== undefined)
    expect(held).toHaveLength(budgets.hydratedTabs)
    expect(desk.states()["host/a"]).toBe("suspended")
    expect(desk.kept.has("host/a")).toBe(true)
    desk.fill()
    await visit(desk, "g")
    await settled()
    expect(desk.states()["host/a"]).toBe("discarded")
    expect(desk.kept.has("host/a")).toBe(false)
    expect(desk.states()["host/f"]).toBe("suspended")
  })

  it("the feed lists them, with what the browser kept; what is deleted goes from there, too", async () => {
    const desk = setUp()
    desk.rows.push({ agent: "host", branch: "a", activityAt: 1, pinned: false, archived: false, ephemeral: false })
    desk.rows.push({ agent: "host", branch: "aside", activityAt: 2, pinned: false, archived: false, ephemeral: true })
    for (const branch of ["a", "gone"]) {
      const key = `host/${branch}`
      desk.kept.set(key, { key, asOf: 1, bytes: 1, status: null, messages: [] })
    }
    const stop = desk.desk.start()
    await vi.waitFor(() => expect(desk.states()).toEqual({ "host/a": "suspended" }))
    await vi.waitFor(() => expect([...desk.kept.keys()]).toEqual(["host/a"]))
    expect(desk.desk.feed.get().phase).toBe("ready")
    document.dispatchEvent(new Event("freeze"))
    expect(desk.states()).toEqual({ "host/a": "discarded" })
    expect(desk.kept.has("host/a")).toBe(false)
    stop()
  })

  it("[TAB-13] a list that cannot be had says when it is tried again, and is tried at once when asked for", async () => {
    const hour = 3_600_000
    const { desk, down } = setUp({ backoffMs: hour, backoffMaxMs: hour })
    down.isDown = true
    const stop = desk.start()
    await vi.waitFor(() => expect(desk.feed.get().reconnectAt).toBeGreaterThan(Date.now() + hour / 3))
    down.isDown = false
    desk.reconnect()
    await vi.waitFor(() => expect(desk.feed.get()).toMatchObject({ connection: "live", reconnectAt: null }))
    stop()
  })

  it("two are loaded ahead at once, and give up when they are opened", async () => {
    const desk = setUp()
    for (const branch of ["a", "b", "c"])
      desk.rows.push({ agent: "host", branch, activityAt: 1, pinned: false, archived: false, ephemeral: false })
    const stop = desk.desk.start()
    await vi.waitFor(() => expect(Object.keys(desk.states())).toHaveLength(3))
    for (const branch of ["a", "b", "c"]) desk.desk.warm("host", branch)
    await vi.waitFor(() => expect(desk.waiting.map(({ branch }) => branch)).toEqual(["a", "b"]))
    for (const late of desk.waiting.splice(0, 1)) late.answer()
    await vi.waitFor(() => expect(desk.states()["host/a"]).toBe("suspended"))
    expect([...desk.kept.keys()]).toEqual(["host/a"])
    desk.open("b")
    expect(desk.residents().warming.size).toBe(0)
    stop()
  })

  it("[SEC-2] forgetting a person leaves nothing, also of what was about to be kept", async () => {
    const desk = setUp()
    const leave = desk.open("secret")
    await settled()
    for (const late of desk.waiting.splice(0)) late.answer()
    await settled()
    await desk.desk.forget()
    leave()
    await settled()
    expect(desk.kept.size).toBe(0)
    expect(desk.held("secret")).toBeUndefined()
    expect([...desk.items.values()].join()).not.toContain("secret")
  })
})
