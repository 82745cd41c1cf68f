import type { Conversation, LiveState, Parlor } from "@parlor/client"
import type { MessageId, StatusRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { statusWords } from "../status/statusWords.ts"
import { FrontHeader } from "./FrontHeader.tsx"

type Scene = {
  readonly branch?: string
  readonly title?: string
  readonly status?: Partial<StatusRow> | null
  readonly branches?: number
  readonly connection?: LiveState["connection"]
}

function header({ branch = "main", title = "", status = {}, branches = 0, connection = "live" }: Scene): string {
  const idle = { state: "idle", busyWith: null, held: null, attempt: null, retryAt: null, error: null, turn: null }
  const row = status === null ? null : ({ ...idle, ephemeral: false, origin: null, files: 0, ...status } as StatusRow)
  const state = {
    phase: "ready",
    title,
    status: row,
    messages: [],
    branches: Array.from({ length: branches }, () => ({})),
  } as unknown as LiveState
  const conversation = { agent: "host", branch, branches: {} } as unknown as Conversation
  const words = statusWords("host", { status: row, connection, queued: 0 })
  return renderToStaticMarkup(
    <FrontHeader pane={{ parlor: {} as Parlor, conversation, live: undefined, state, words }} />,
  )
}
const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")

describe("above the conversation in front", () => {
  it("[TAB-37] is what it is called and whose it is, never its address", () => {
    const html = header({ branch: "redder", title: "Loaves & rolls" })
    expect(html).toMatch(/<h1[^>]*>.*Loaves &amp; rolls<\/button><\/h1>/)
    expect(text(html)).toContain("host")
    expect(text(html)).not.toContain("redder")
    expect(header({ branch: "redder" })).toMatch(/<h1[^>]*>.*>New conversation<\/button><\/h1>/)
  })

  it.each([
    [{}, "Ready"],
    [{ state: "busy" }, "host is replying…"],
    [{ state: "busy", busyWith: "compaction" }, "Summarizing older messages"],
    [{ state: "busy", busyWith: "rollback" }, "Rolling back…"],
    [{ state: "waiting" }, "host needs your answer"],
    [{ state: "error", error: { code: "queue.full", detail: "" } }, "The queue is full"],
  ] as const)("says how it is: %j", (status, words) => {
    expect(header({ status })).toMatch(new RegExp(`role="status".*${words}`, "s"))
  })

  it("says that it is not connected, whatever it knew last", () => {
    expect(text(header({ status: { state: "busy" }, connection: "offline" }))).toContain("Connection lost")
    expect(text(header({ status: null, connection: "connecting" }))).toContain("Connecting…")
  })

  it("[TAB-40] has a new chat on a phone, unless it is one", () => {
    expect(header({})).toMatch(/<button[^>]*aria-label="New chat"[^>]*md:hidden/)
    expect(header({ status: null })).not.toContain('aria-label="New chat"')
  })

  it("[TAB-11] leads to its files and branches, with how many there are", () => {
    const html = header({ status: { files: 7 }, branches: 2 })
    expect(html).toMatch(/<a href="#[^"]*files[^"]*"[^>]*aria-label="Files: 7"/)
    expect(html).toContain('aria-label="Branches: 2"')
    const none = header({})
    expect(none).toContain('aria-label="Files"')
    expect(none).toContain('aria-label="Branches"')
  })

  it("[TAB-27] has a menu that says it opens, closed at first, and names the agent one is with", () => {
    const html = header({})
    const menu = /<button[^>]*aria-label="More actions for this conversation"[^>]*>/.exec(html)?.[0]
    expect(menu).toContain('aria-haspopup="menu"')
    expect(menu).toContain('aria-expanded="false"')
    expect(html).toContain('aria-label="Open sidebar"')
    expect(html).not.toContain('role="alert"')
  })

  it("[BRA-4] says of a sidecar in front where it belongs; it is merged once it is idle", () => {
    const origin = { branch: "redder", message: "m1" as MessageId } as StatusRow["origin"]
    const aside = (state: StatusRow["state"]) => header({ branch: "aside", status: { ephemeral: true, origin, state } })
    expect(aside("idle")).toContain("Side chat of another conversation")
    expect(aside("idle")).not.toMatch(/disabled=""[^>]*>Merge answer/)
    expect(aside("busy")).toMatch(/disabled=""[^>]*>Merge answer/)
    expect(header({})).not.toContain("Sidecar")
  })
})
