import type { Conversation, LiveState } from "@parlor/client"
import type { MessageId, StatusRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { BranchMenu } from "../branch/BranchMenu.tsx"
import { SidecarBar } from "../branch/SidecarBar.tsx"
import { type HeaderActs, headerItems } from "./headerItems.ts"
import { SidecarHeader } from "./SidecarHeader.tsx"
import { Title } from "./Title.tsx"

const conversation = (branch: string) => ({ agent: "host", branch, branches: {} }) as unknown as Conversation
const state = (status: Partial<StatusRow>, more: Partial<LiveState> = {}) =>
  ({
    messages: [],
    branches: [],
    ...more,
    status: { state: "idle", ephemeral: true, origin: null, ...status },
  }) as unknown as LiveState
const origin = { branch: "main", message: "m1" as MessageId } as StatusRow["origin"]
const calm = { tone: "calm", text: "Ready" } as const

describe("the menu of a conversation", () => {
  const did: string[] = []
  const note = (name: string) => (given?: unknown) => void did.push(given === undefined ? name : `${name} ${given}`)
  const acts: HeaderActs = {
    open: note("open"),
    rename: note("rename"),
    share: note("share"),
    aside: note("aside"),
    branches: note("branches"),
    pin: note("pin"),
    archive: note("archive"),
    allowed: note("allowed"),
    takeOut: note("export"),
    remove: note("delete"),
  }
  const labels = (marks: Partial<Parameters<typeof headerItems>[1]>) =>
    headerItems(acts, { pinned: false, archived: false, isNarrow: false, ...marks }).flatMap((item) =>
      item === "line" ? [] : [item.label],
    )

  it("[TAB-11] leads to every page, and does what can be done about it", () => {
    expect(labels({})).toEqual([
      "Rename",
      "Share",
      "New side chat",
      "Attachments",
      "Chapters",
      "Find",
      "Inspector",
      "Memory",
      "Triggers",
      "Allowed tools",
      "Export",
      "Pin",
      "Archive",
      "Delete",
    ])
    for (const item of headerItems(acts, { pinned: true, archived: false, isNarrow: true }))
      if (item !== "line") item.onChoose()
    expect(did).toEqual([
      "rename",
      "share",
      "aside",
      "open files",
      "branches",
      "open attachments",
      "open chapters",
      "open search",
      "open inspect",
      "open memory",
      "open triggers",
      "allowed",
      "export",
      "pin false",
      "archive true",
      "delete",
    ])
  })

  it("[TAB-30] has on a phone what the row has no room for, and takes marks back", () => {
    expect(labels({ isNarrow: true })).toContain("Files")
    expect(labels({ isNarrow: true })).toContain("Branches")
    expect(labels({ pinned: true })).toContain("Unpin")
    expect(labels({ archived: true })).toContain("Unarchive")
  })
})

describe("the title", () => {
  const titled = (title: string, isEditing = false) =>
    renderToStaticMarkup(
      <Title
        title={title}
        otherwise="host / redder"
        isEditing={isEditing}
        onEdit={() => {}}
        onRename={async () => true}
      />,
    )

  it("[TAB-11] is what the conversation is called, or where it is", () => {
    expect(titled("Loaves")).toMatch(/<h1.*Loaves<\/button><\/h1>/)
    expect(titled("")).toContain(">host / redder</button>")
  })

  it("[TAB-11] is renamed in place, in a box with a name", () => {
    expect(titled("Loaves", true)).toContain('aria-label="Conversation title"')
    expect(titled("Loaves", true)).toContain('value="Loaves"')
  })

  it("[SEC-6] is text, whatever it holds", () => {
    expect(titled("<img src=x>")).not.toContain("<img")
  })
})

describe("a sidecar", () => {
  const said = [
    { id: "m1" as MessageId, parts: [{ type: "text", text: "About <b>bread</b>" }] },
  ] as unknown as LiveState["messages"]
  const header = (status: Partial<StatusRow>, messages = said) =>
    renderToStaticMarkup(
      <SidecarHeader
        pane={{ conversation: conversation("aside"), state: state(status, { messages }), words: calm }}
        front="main"
      />,
    )

  it("[BRA-4] says in its pane what it hangs on, and leads there", () => {
    const html = header({ origin })
    expect(html).toContain("Side chat of another conversation")
    expect(html).toContain("About &lt;b&gt;bread&lt;/b&gt;")
    expect(html).toContain('href="#/host/main/m1?side=aside"')
    for (const label of ["Close side chat", "More actions for this side chat"])
      expect(html).toContain(`aria-label="${label}"`)
    expect(header({ origin }, [])).not.toContain("?side=aside")
  })

  it("[BRA-4] is merged when it is idle, and is no sidecar any more once it is kept", () => {
    expect(header({ origin, state: "busy" })).toMatch(/disabled=""[^>]*>.*Merge/)
    expect(header({ origin })).not.toContain('disabled=""')
    const kept = header({ origin, ephemeral: false })
    expect(kept).not.toContain("Merge")
    expect(kept).toContain(">aside</h2>")
  })

  it("[BRA-4] opened in front it says where it belongs; other conversations say nothing", () => {
    const bar = (status: Partial<StatusRow>) =>
      renderToStaticMarkup(<SidecarBar conversation={conversation("aside")} state={state(status)} />)
    expect(bar({ origin })).toContain("Side chat of another conversation")
    for (const words of ["Open side by side", "Merge answer", "Keep as branch", "Close"])
      expect(bar({ origin })).toContain(words)
    expect(bar({ ephemeral: false })).toBe("")
  })

  it("[BRA-4] is counted among what hangs on a conversation", () => {
    const menu = (count: number) =>
      renderToStaticMarkup(
        <BranchMenu
          conversation={conversation("main")}
          state={state({}, { branches: Array.from({ length: count }, () => ({})) as unknown as LiveState["branches"] })}
        />,
      )
    expect(menu(2)).toContain('aria-label="Branches: 2"')
    expect(menu(0)).toContain('aria-label="Branches"')
  })
})
