import type { Parlor } from "@parlor/client"
import type { MemoryLine, MessageRow } from "@parlor/protocol"
import type { ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { FileEditor } from "./features/files/FileEditor.tsx"
import { FileHistory } from "./features/files/FileHistory.tsx"
import { FileView } from "./features/files/FileView.tsx"
import { PathDialog } from "./features/files/PathDialog.tsx"
import { Refused } from "./features/list/Refused.tsx"
import { MemoryItem } from "./features/memory/MemoryItem.tsx"
import { MemoryPage } from "./features/memory/MemoryPage.tsx"
import { RollbackDialog } from "./features/rollback/RollbackDialog.tsx"
import { SearchPage } from "./features/search/SearchPage.tsx"
import { TriggerPage } from "./features/trigger/TriggerPage.tsx"
import { Confirm } from "./ui/Confirm.tsx"

/** Nothing is asked for while it is only drawn. */
const parlor = {} as Parlor
const nothing = () => {}
const drawn = (node: ReactNode) => renderToStaticMarkup(node)
const evil = "<img src=x onerror=alert(1)>"

describe("pages before anything has arrived", () => {
  it("[TAB-11] each has its title, the way back to where one was, and says that it is loading", () => {
    const from = { parlor, agent: "host", branch: "redder", onRefused: nothing }
    for (const [title, html] of [
      ["Memory", drawn(<MemoryPage {...from} />)],
      ["Triggers", drawn(<TriggerPage {...from} />)],
    ] as const) {
      expect(html).toContain(`>${title}</h1>`)
      expect(html).toContain('href="#/host/redder"')
      expect(html).toContain("Loading…")
      expect(html).toContain("New")
    }
  })

  it("[CPT-8] searching begins with what the address asks for, and teaches when it asks for nothing", () => {
    const page = (query: string) =>
      drawn(<SearchPage parlor={parlor} agent="host" branch="main" query={query} onRefused={nothing} />)
    expect(page("red crab")).toContain('value="red crab"')
    expect(page("red crab")).toContain("Searching…")
    expect(page("")).toContain("Search everything")
    for (const label of ["Everywhere", "With host", "Messages", "Chapters", "Memory"]) expect(page("")).toContain(label)
  })

  it("[TAB-11] what went wrong says so, and how to try again", () => {
    const note = { code: "store.unavailable", detail: "" }
    expect(drawn(<Refused note={note} onRetry={nothing} />)).toContain("Try again")
    expect(drawn(<Refused note={undefined} onRetry={nothing} />)).toBe("")
  })
})

describe("dialogs", () => {
  it("[RBK-4] rolling back first looks at what it would do", () => {
    const html = drawn(
      <RollbackDialog
        conversation={{ agent: "host" } as never}
        message={{ id: "m1" } as MessageRow}
        onDone={nothing}
        onClose={nothing}
      />,
    )
    expect(html).toContain("Checking…")
    expect(html).toMatch(/disabled=""[^>]*>Roll back/)
  })

  it("[WSP-4] a new path has to be another one", () => {
    const html = drawn(
      <PathDialog title="Move" action="Move it" path="a.txt" onDone={async () => {}} onClose={nothing} />,
    )
    expect(html).toContain('value="a.txt"')
    expect(html).toMatch(/disabled=""[^>]*>Move it/)
  })

  it("[SEC-6] what they are about is text", () => {
    const html = drawn(
      <Confirm title={evil} action="Delete" onDo={nothing} onClose={nothing}>
        {evil}
      </Confirm>,
    )
    expect(html).not.toContain("<img")
    expect(html).toContain("Cancel")
  })
})

describe("a file", () => {
  const files = {} as never
  const read = { bytes: new TextEncoder().encode("one"), hash: "h", mediaType: "text/plain" }

  it("[WSP-4] open, says how large it is, who changed it and what one can do", () => {
    const listing = { path: "a/b.txt", bytes: 1_500, hash: "h", by: "agent:host", turn: null, at: 0 }
    const html = drawn(
      <FileView
        files={files}
        conversation="host/main"
        listing={listing}
        version={0}
        onMoved={nothing}
        onChanged={nothing}
        onClose={nothing}
      />,
    )
    expect(html).toContain('aria-label="a/b.txt"')
    expect(html).toContain("1 KB · host")
    for (const label of ["Download", "More actions for a/b.txt"]) expect(html).toContain(`aria-label="${label}"`)
    expect(html).not.toContain("Edit")
  })

  it("[WSP-4] under the hand, begins with what was read", () => {
    const html = drawn(<FileEditor files={files} conversation="host/main" path="a.txt" read={read} onDone={nothing} />)
    expect(html).toMatch(/aria-label="Content of a.txt"[^>]*>one</)
    expect(html).toContain("Save")
    expect(html).not.toContain("Save my version")
  })

  it("[WSP-4] its history has a name", () => {
    const html = drawn(<FileHistory files={files} path="a.txt" hash="h" version={0} onPutBack={nothing} />)
    expect(html).toContain('aria-label="History of a.txt"')
    expect(html).toContain("Loading…")
  })
})

it("[CPT-8] a memory that was searched for is unfolded, others are not", () => {
  const memory: MemoryLine = {
    scope: "user",
    name: "tea",
    description: "Drinks tea",
    type: "user",
    pinned: false,
    writtenBy: "person",
    writtenIn: null,
    createdAt: 0,
    updatedAt: 0,
  }
  const item = (isOpened: boolean) =>
    drawn(
      <MemoryItem
        memory={memory}
        isOpened={isOpened}
        read={async () => ({ ...memory, body: "" })}
        onEdit={nothing}
        onPin={nothing}
        onDelete={nothing}
      />,
    )
  expect(item(true)).toMatch(/<details open=""/)
  expect(item(false)).not.toMatch(/<details open=""/)
})
