import { type LiveConversation, type LiveState, loadingState, type PendingSend } from "@parlor/client"
import type { QueueRow, StatusRow } from "@parlor/protocol"
import { queuedWith as queueRow } from "@parlor/protocol/testing"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { QueueItem } from "./QueueItem.tsx"
import { type ItemActs, queueItems } from "./QueueItemActs.tsx"
import { QueuePanel } from "./QueuePanel.tsx"
import { waitingList } from "./queueView.ts"
import { type Acts, useActs } from "./useActs.ts"
import { useItemActs } from "./useItemActs.ts"

const never = () => {
  throw new Error("nobody pressed anything")
}
const noActs: ItemActs = { edit: never, sendNow: never, move: never, place: never, setMode: never, remove: never }
const only = (change: Partial<QueueRow>, running = true) => {
  const [message] = waitingList([queueRow("a", change)], running)
  if (message === undefined) throw new Error("it does not wait")
  return message
}
const shown = (change: Partial<QueueRow>) =>
  renderToStaticMarkup(<QueueItem message={only(change)} acts={noActs} onDropped={never} />)
const labels = (html: string) => [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)
const evil = '"><img src=x onerror=alert(1)>'

describe("a waiting message", () => {
  it("[QUE-8] that somebody edits says so instead of its place, until their lease is over", () => {
    const lease = (until: number) => ({ until }) as QueueRow["lease"]
    expect(shown({ lease: lease(Date.now() + 60_000) })).toContain("being edited")
    expect(shown({ lease: lease(Date.now() + 60_000) })).not.toContain(">next<")
    expect(shown({ lease: lease(Date.now() - 1) })).toContain(">next<")
  })

  it("[TRN-9] that joins the answer is not moved or paused, and can be made to wait instead", () => {
    const html = shown({ mode: "steer" })
    expect(html).toContain("adding to current reply")
    expect(html).toContain('draggable="false"')
    expect(labels(html)).toEqual(["Edit: text of a", "Send now", "Queue instead", "Remove"])
  })

  it("[QUE-7] that is paused says so, and offers to release it", () => {
    const html = shown({ mode: "paused" })
    expect(html).toContain(">skipped<")
    expect(labels(html)).toContain("Don&#x27;t skip")
    expect(labels(html)).not.toContain("Skip for now")
  })

  it("[TAB-12, TAB-27] at the end of the list says that it cannot go further, and keeps the focus", () => {
    expect(shown({})).toMatch(/aria-label="Move up"[^>]*aria-disabled="true"/)
    expect(shown({})).toMatch(/aria-label="Move down"[^>]*aria-disabled="true"/)
    expect(shown({})).not.toContain('disabled=""')
  })

  it("[TAB-27] [QUE-13] has names for where it came from and for what goes along", () => {
    const file = { type: "attachment", hash: "h", name: "a.png", mediaType: "image/png", bytes: 1 } as const
    const html = shown({ source: "mcp-event", attachments: [file, file], guests: ["critic", "scribe"] })
    expect(html).toMatch(/role="img" aria-label="From an MCP event"/)
    expect(html).toMatch(/role="img" aria-label="Attached files:".*<\/svg>2<\/span>/)
    expect(html).toContain("From an MCP event · @critic @scribe · next")
    expect(shown({})).not.toContain("Attached files:")
    expect(shown({})).not.toContain("From you ·")
  })

  it("[SEC-6] is text, whatever its words, guests and sources are", () => {
    const html = shown({ payload: { source: evil }, source: evil, guests: [evil] })
    expect(html).not.toContain("<img")
    expect(html).toContain('aria-label="Edit: &quot;&gt;&lt;img')
  })

  it("[QUE-7] [QUE-10] its menu does what it says, to this one", () => {
    const press = (change: Partial<QueueRow>) => {
      const did: unknown[] = []
      const tell =
        (name: string) =>
        (...words: readonly unknown[]) =>
          void did.push([name, ...words].join(" "))
      const names = ["edit", "sendNow", "move", "place", "setMode", "remove"]
      const acts = Object.fromEntries(names.map((name) => [name, tell(name)])) as unknown as ItemActs
      for (const item of queueItems(only(change), acts)) if (item !== "line") item.onChoose()
      return did
    }
    expect(press({})).toEqual(["sendNow a", "edit a", "move a up", "move a down", "setMode a paused", "remove a"])
    expect(press({ mode: "paused" })).toContain("setMode a queued")
    expect(press({ mode: "steer" })).toEqual(["sendNow a", "edit a", "setMode a queued", "remove a"])
  })
})

describe("the panel", () => {
  const panel = (state: Partial<LiveState>, sending: readonly PendingSend[] = []) =>
    renderToStaticMarkup(
      <QueuePanel live={undefined} state={{ ...loadingState, ...state }} sending={sending} onKeep={never} />,
    )

  it("[QUE-5] [QUE-6] says why nothing starts, and has Resume in place of Hold", () => {
    const held = { held: { reason: "stopped", since: 0 }, turn: null } as StatusRow
    const html = panel({ queue: [queueRow("a")], status: held })
    expect(html).toMatch(/Queue paused after you stopped · <\/span>1 queued.*Resume.*Clear all/)
    expect(html).not.toContain("> Pause<")
  })

  it("[TAB-8] what is on its way is the last in the list, and alone it has no head", () => {
    const send = { key: "k", text: evil } as PendingSend
    expect(panel({ queue: [queueRow("a")] }, [send])).toMatch(/1 queued.*<ol.*text of a.*sending…/s)
    expect(panel({}, [send])).toContain("sending…")
    expect(panel({}, [send])).not.toMatch(/waiting|<img/)
  })

  it("[TAB-27] is a part of the page with a name, its messages a list in order", () => {
    const html = panel({ queue: ["a", "b", "c"].map((id) => queueRow(id)) })
    expect(html).toMatch(/<section aria-label="Queue".*<h2.*3 queued.*<ol/)
    expect([...html.matchAll(/aria-label="Edit: text of (\w)"/g)].map(([, id]) => id).join("")).toBe("abc")
  })
})

describe("acts", () => {
  const acts = () => used(() => useActs())

  it("[QUE-7] are done one after another, also after one that was refused", async () => {
    const { run } = acts()
    const did: string[] = []
    let end = () => {}
    const first = run(() => new Promise<void>((resolve) => (end = resolve)).then(() => void did.push("first")))
    const second = run(() => Promise.reject(new Error("no")))
    const third = run(async () => void did.push("third"))
    await Promise.resolve()
    end()
    expect(await Promise.all([first, second, third])).toEqual([true, false, true])
    expect(did).toEqual(["first", "third"])
  })

  it("[TAB-8] a move goes beside the neighbor that is there now; at the end it goes nowhere", async () => {
    const told: unknown[] = []
    const queue = [queueRow("s", { mode: "steer" }), queueRow("a"), queueRow("b")]
    const live = {
      getState: () => ({ queue: [...queue.map((one) => ({ ...one }))], status: { turn: "trn_1" } }),
      subscribe: () => () => undefined,
      edit: async (id: string, edit: object) => void told.push([id, edit]),
      sendNow: async (id: string) => void told.push(["now", id]),
    } as unknown as LiveConversation
    const inOrder: Acts = { ...acts(), run: async (act) => act().then(() => true) }
    const { items } = used(() => useItemActs(live, inOrder, (id) => void told.push(["edit", id])))
    for (const [id, way] of [
      ["b", "up"],
      ["a", "down"],
      ["a", "up"],
      ["b", "down"],
      ["s", "down"],
    ] as const) {
      items.move(id, way)
      await new Promise((resolve) => setTimeout(resolve))
    }
    items.sendNow("a")
    items.edit("b")
    expect(told).toEqual([
      ["b", { before: "a", version: 1 }],
      ["a", { after: "b", version: 1 }],
      ["now", "a"],
      ["edit", "b"],
    ])
  })

  it("[TAB-8] without a connection nothing is done, and nothing breaks", () => {
    const none: Acts = { ...acts(), run: never }
    const { items, removed } = used(() => useItemActs(undefined, none, never))
    for (const act of [items.sendNow, items.remove]) act("a")
    items.setMode("a", "paused")
    expect(removed).toBeUndefined()
  })
})

/** What a hook gives, from one rendering. */
function used<T>(hook: () => T): T {
  const got: T[] = []
  const Probe = () => {
    got.push(hook())
    return null
  }
  renderToStaticMarkup(<Probe />)
  return got[0] as T
}
