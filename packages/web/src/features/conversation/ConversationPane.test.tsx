import { type LiveState, loadingState, type Parlor, ParlorError, type PendingSend } from "@parlor/client"
import type { FeedRow, QueueRow, StatusRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { DeskContext } from "../tab/DeskContext.ts"
import type { Desk } from "../tab/desk.ts"
import { ConversationPane, type Pane } from "./ConversationPane.tsx"

const AT = "host/main"
const idle = { state: "idle", busyWith: null, held: null, attempt: null, retryAt: null, error: null, turn: null }
const ready = (status: Partial<StatusRow> = {}, change: Partial<LiveState> = {}): LiveState => ({
  ...loadingState,
  phase: "ready",
  connection: "live",
  status: { ...idle, ...status } as StatusRow,
  ...change,
})
const send = (text: string, change: Partial<PendingSend>): PendingSend => ({
  key: text,
  body: { text },
  text,
  at: 0,
  state: "sending",
  error: null,
  failures: 0,
  retryAt: null,
  ...change,
})

type Scene = {
  readonly state?: LiveState | undefined
  readonly openedKey?: string
  readonly asOf?: number
  readonly rows?: readonly Partial<FeedRow>[]
}

/** The pane as it is first drawn, and what it told the head above it. */
function pane({ state, openedKey = AT, asOf, rows = [] }: Scene) {
  const opened = { key: openedKey, state, asOf }
  const desk = {
    opener: () => ({ get: () => opened, subscribe: () => () => undefined, open: () => () => undefined }),
    feed: { get: () => feed, subscribe: () => () => undefined },
  } as unknown as Desk
  const feed = { rows: rows.map((row) => ({ agent: "host", branch: "main", asks: 0, queued: 0, latestFile: null, ...row })) }
  const parlor = { conversation: () => ({ agent: "host", branch: "main", files: {} }) } as unknown as Parlor
  let told: Pane | undefined
  const html = renderToStaticMarkup(
    <DeskContext value={desk}>
      <ConversationPane
        parlor={parlor}
        agent="host"
        branch="main"
        agents={[]}
        onRefused={() => undefined}
        head={(shown) => {
          told = shown
          return <h1>the head</h1>
        }}
      />
    </DeskContext>,
  )
  return { html, told }
}

describe("a conversation, whole", () => {
  it("[TAB-2] has its head and its box before anything of it is loaded, and its title as the feed has it", () => {
    const { html, told } = pane({ rows: [{ title: "Loaves", asks: 1, queued: 2 }] })
    expect(html).toMatch(/<h1>the head<\/h1>.*aria-label="Message to host"/s)
    expect(told?.state?.title).toBe("Loaves")
    expect(told?.words.text).toBe("Connecting…")
    expect(html).toContain("Loading. One question for you, 2 in the queue.")
  })

  it("[TAB-3] what belongs to another conversation does not show", () => {
    const other = ready({}, { title: "Other", sending: [send("elsewhere", { state: "failed" })] })
    const { html, told } = pane({ state: other, openedKey: "host/other" })
    expect(html).not.toContain("elsewhere")
    expect(told?.state?.title).toBe("")
    expect(pane({ state: other }).html).toContain("elsewhere")
  })

  it("[TAB-4] says since when what it shows is not known to be the newest", () => {
    expect(pane({ state: ready(), asOf: Date.now() }).html).toMatch(/data-stale="true"[^>]*>As of .*loading the newest/)
    expect(pane({ state: ready() }).html).not.toContain("data-stale")
  })

  it("[TAB-9] idle it sends; busy it offers to stop and to wait or join", () => {
    const quiet = pane({ state: ready() })
    expect(quiet.html).not.toContain('aria-label="Stop"')
    expect(quiet.told?.words.tone).toBe("calm")
    const busy = pane({ state: ready({ state: "busy", turn: "trn_1" as never }) })
    expect(busy.html).toMatch(/aria-label="Stop".*aria-label="While host is busy"/s)
    expect(busy.told?.words.text).toBe("host is writing…")
  })

  it("[GST-5] who is writing is the guest whose turn it is", () => {
    const turns = [{ id: "trn_1", agent: "host", guest: "critic" }] as unknown as LiveState["turns"]
    const { told } = pane({ state: ready({ state: "busy", turn: "trn_1" as never }, { turns }) })
    expect(told?.words.text).toBe("critic is writing…")
  })

  it("[TAB-10] what was refused and what cannot be delivered stand above the box, each once", () => {
    const error = new ParlorError("queue.full", "Full.", { status: 429 })
    const sending = [
      send("refused words", { state: "failed", error }),
      send("stuck words", { failures: 2, retryAt: Date.now() + 5_000 }),
    ]
    const { html } = pane({ state: ready({}, { sending }) })
    expect(html).toMatch(/Not sent\. The queue is full.*refused words.*Waiting to be sent.*stuck words.*Message to host/s)
    expect(html.split("refused words")).toHaveLength(2)
  })

  it("[TAB-9] what waits in the queue is above the box, and the arrow that edits it is told of", () => {
    const queued = { id: "que_1", ord: 1, mode: "queued", text: "waiting words", version: 1, author: "", nodes: [] }
    const busy = (mode: QueueRow["mode"]) =>
      pane({
        state: ready(
          { state: "busy", turn: "trn_1" as never },
          { queue: [{ ...queued, mode }] as unknown as LiveState["queue"] },
        ),
      }).html
    expect(busy("queued")).toMatch(/waiting words.*Message to host/s)
    expect(busy("queued")).toContain("↑ edits the last waiting message")
    expect(busy("steer")).not.toContain("↑ edits")
  })
})
