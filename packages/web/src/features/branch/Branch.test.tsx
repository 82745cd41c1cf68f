import type { Conversation, LiveState } from "@parlor/client"
import { loadingState } from "@parlor/client"
import type { BranchRow, MessageId, MessageRow, StatusRow } from "@parlor/protocol"
import { isValidElement, type ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { SidecarHeader } from "../pane/SidecarHeader.tsx"
import { BranchList } from "./BranchList.tsx"
import { BranchMenu } from "./BranchMenu.tsx"
import { SidecarBar } from "./SidecarBar.tsx"

const never = () => {
  throw new Error("nobody pressed anything")
}
const at = (branch: string, more: object = {}) => ({ agent: "host", branch, ...more }) as unknown as Conversation
const from = (branch: string, message: string | null = null) => ({ branch, message }) as StatusRow["origin"]
const status = (change: Partial<StatusRow> = {}) =>
  ({ state: "idle", ephemeral: true, origin: from("redder", "m1"), files: 0, ...change }) as StatusRow
const said = (text: string) => ({ id: "m1" as MessageId, parts: [{ type: "text", text }] }) as unknown as MessageRow
const state = (change: Partial<LiveState> = {}): LiveState => ({ ...loadingState, status: status(), ...change })
const words = { tone: "calm", text: "Ready" } as const
const header = (given: LiveState | undefined, branch = "aside") =>
  renderToStaticMarkup(<SidecarHeader pane={{ conversation: at(branch), state: given, words }} front="redder" />)
const bar = (given: LiveState | undefined) =>
  renderToStaticMarkup(<SidecarBar conversation={at("aside")} state={given} />)
const evil = "<img src=x onerror=alert(1)>"

describe("the header of a side chat", () => {
  it("[BRA-4] it says what it hangs on, with the way to that message that keeps it open", () => {
    const html = header(state({ messages: [said("About\nbread")] }))
    expect(html).toMatch(/<h2[^>]*>Side chat<\/h2>/)
    expect(html).toMatch(
      /Side chat of another conversation: <a href="#\/host\/redder\/m1\?side=aside"[^>]*>About bread<\/a>/,
    )
    expect(html).toMatch(/role="status".*Ready/)
    for (const label of ["More actions for this side chat", "Close side chat"])
      expect(html).toContain(`aria-label="${label}"`)
  })

  it("[BRA-4] its answer is merged only once it is there", () => {
    const isDisabled = (html: string) => /<button[^>]*disabled=""[^>]*>.* Merge<\/button>/.test(html)
    expect(isDisabled(header(state()))).toBe(false)
    for (const other of ["busy", "retrying", "waiting", "error"] as const)
      expect(isDisabled(header(state({ status: status({ state: other }) })))).toBe(true)
    expect(isDisabled(header(undefined))).toBe(true)
  })

  it("[BRA-4] while it loads, or when it hangs on no message, nothing is quoted", () => {
    expect(header(undefined)).toContain("Side chat of another conversation")
    expect(header(undefined)).not.toContain("<a ")
    expect(header(state({ status: status({ origin: from("main") }) }))).not.toContain("<a ")
  })

  it("[BRA-4] what was kept as a branch has its name, and nothing to merge", () => {
    const html = header(state({ status: status({ ephemeral: false }) }), "bread")
    expect(html).toMatch(/<h2[^>]*>bread<\/h2>/)
    expect(html).not.toContain("Merge")
    expect(html).not.toContain("Side chat of")
  })

  it("[SEC-6] names and quotes are text, whatever they hold", () => {
    const html = header(state({ status: status({ origin: from(evil, "m1") }), messages: [said(evil)] }))
    expect(html).not.toContain("<img")
    expect(html).toContain("Side chat of another conversation")
    expect(header(state({ status: status({ ephemeral: false }) }), evil)).not.toContain("<img")
  })
})

describe("the header of a side chat in front", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it("[BRA-4] it says where it belongs and what can become of it; other conversations have no such bar", () => {
    expect(bar(state())).toMatch(
      /<section aria-label="Side chat".*Side chat of another conversation.*Open side by side.*Merge answer.*Keep as branch.*Close/,
    )
    expect(bar(state())).not.toContain('disabled=""')
    expect(bar(state({ status: status({ state: "busy" }) }))).toMatch(/disabled="">Merge answer/)
    expect(bar(state({ status: status({ origin: null }) }))).toContain("Side chat of another conversation")
    expect([bar(undefined), bar(state({ status: status({ ephemeral: false }) }))]).toEqual(["", ""])
  })

  it("[BRA-4] each button does what it says, and one is back where it hangs", async () => {
    const did: string[] = []
    const tell = (name: string) => async () => void did.push(name)
    const page = { location: { hash: "#/host/aside" } }
    vi.stubGlobal("window", page)
    const branches = { merge: tell("merge"), keep: tell("keep"), close: tell("close") }
    const buttons = pressable(() => SidecarBar({ conversation: at("aside", { branches }), state: state() }))
    const after: unknown[] = []
    for (const name of ["Open side by side", "Merge answer", "Keep as branch", "Close"]) {
      await buttons.get(name)?.()
      after.push(page.location.hash)
    }
    expect(did).toEqual(["merge", "keep", "close"])
    expect(after).toEqual(["#/host/redder?side=aside", "#/host/redder", "#/host/aside", "#/host/redder"])
  })
})

describe("the branches of a conversation", () => {
  const list = (given: LiveState | undefined) =>
    renderToStaticMarkup(<BranchList conversation={at("bread")} state={given} onGo={never} />)
  const menu = (count: number) => {
    const branches = Array.from({ length: count }, (_, index) => ({ branch: `b${index}` }) as BranchRow)
    return renderToStaticMarkup(<BranchMenu conversation={at("main")} state={state({ branches })} />)
  }

  it("[BRA-4] shows its parent and how to create one while the others are loading", () => {
    const html = list(state({ status: status({ ephemeral: false }) }))
    expect(html).toMatch(/href="#\/host\/redder".*Branch of another conversation/)
    expect(html).toMatch(/Loading….*New side chat<\/button>.*New chat<\/button>/)
    expect(html).not.toContain("No branches yet")
    expect(list(state({ status: status({ origin: null }) }))).not.toContain("Branch of")
    expect(list(undefined)).toContain("New chat")
    expect(list(state({ status: status({ origin: from(evil) }) }))).not.toContain("<img")
  })

  it("[TAB-27] its button says how many there are, and that it opens something", () => {
    expect(menu(0)).toMatch(/aria-label="Branches"/)
    expect(menu(0)).not.toContain("tabular-nums")
    expect(menu(3)).toMatch(/aria-label="Branches: 3"/)
    expect(menu(3)).toMatch(/aria-haspopup="dialog" aria-expanded="false"/)
  })
})

/** The buttons a component renders, by what they say. */
function pressable(render: () => ReactNode): ReadonlyMap<string, () => unknown> {
  const found = new Map<string, () => unknown>()
  const look = (node: ReactNode): void => {
    if (Array.isArray(node)) for (const child of node) look(child)
    if (!isValidElement<{ onClick?: () => unknown; children?: ReactNode }>(node)) return
    const { onClick, children } = node.props
    if (onClick !== undefined && typeof children === "string") found.set(children, onClick)
    look(children)
  }
  const Probe = () => {
    look(render())
    return null
  }
  renderToStaticMarkup(<Probe />)
  return found
}
