import type { Parlor } from "@parlor/client"
import type { Memory, MemoryLine } from "@parlor/protocol"
import { isValidElement, type ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Refused } from "../list/Refused.tsx"
import { MemoryEditor } from "./MemoryEditor.tsx"
import { MemoryLink } from "./MemoryLink.tsx"
import { MemoryList, type MemoryListProps } from "./MemoryList.tsx"
import { MemoryPage } from "./MemoryPage.tsx"
import { emptyDraft } from "./memoryView.ts"

const tea: Memory = {
  scope: "project",
  name: "tea",
  description: "Drinks tea",
  type: "reference",
  pinned: false,
  writtenBy: "person",
  writtenIn: null,
  createdAt: 0,
  updatedAt: Date.UTC(2026, 0, 2),
  body: "Green, no sugar.",
}
const never = () => {
  throw new Error("nobody pressed anything")
}

function stage(refusal?: Error) {
  const told: unknown[] = []
  const tell =
    (name: string) =>
    async (...words: unknown[]) => {
      told.push([name, ...words])
      if (refusal !== undefined) throw refusal
    }
  const memory = { list: async () => [], read: async () => tea, write: tell("write"), delete: tell("delete") }
  const refused: string[] = []
  const page = () =>
    MemoryPage({
      parlor: { memory } as unknown as Parlor,
      agent: "critic",
      branch: "redder",
      onRefused: () => void refused.push("token"),
    })
  return { told, refused, page }
}

/** What a page gives its list, from one rendering of it. */
function listIn(page: () => ReactNode): MemoryListProps {
  let props: MemoryListProps | undefined
  const look = (node: ReactNode): void => {
    if (Array.isArray(node)) for (const child of node) look(child)
    if (!isValidElement<MemoryListProps & { readonly children?: ReactNode }>(node)) return
    if (node.type === MemoryList) props = node.props
    look(node.props.children)
  }
  const Probe = () => {
    look(page())
    return null
  }
  renderToStaticMarkup(<Probe />)
  if (props === undefined) throw new Error("there is no list")
  return props
}

describe("the page of memories", () => {
  it("[MEM-7] [TAB-27] has its title, the way back to the conversation, a box to search and a way to write one", () => {
    const Page = stage().page
    const html = renderToStaticMarkup(<Page />)
    expect(html).toMatch(/<h1[^>]*>Memory<\/h1>/)
    expect(html).toMatch(/href="#\/critic\/redder" aria-label="Back to critic"/)
    expect(html).toContain('type="search" aria-label="Search memories"')
    expect(html).toMatch(/<button[^>]*>.* New<\/button>/)
    expect(html).toContain("Loading…")
    expect(html).not.toContain("<form")
    expect(html).not.toContain('role="alert"')
  })

  it("[MEM-7] pinning keeps the text that is there, and deleting takes the one of that scope", async () => {
    const { told, page } = stage()
    const list = listIn(page)
    await list.onPin(tea)
    await list.onPin({ ...tea, pinned: true })
    await list.onDelete(tea)
    const text = { description: "Drinks tea", type: "reference", body: "Green, no sugar." }
    expect(told).toEqual([
      ["write", "project", "tea", { ...text, pinned: true }],
      ["write", "project", "tea", { ...text, pinned: false }],
      ["delete", "project", "tea"],
    ])
    expect((await list.read(tea)).body).toBe("Green, no sugar.")
  })

  it("[MEM-7] a token that is turned down is told to the whole page, anything else is not", async () => {
    const expired = stage(Object.assign(new Error("x"), { code: "auth.expired" }))
    await listIn(expired.page).onDelete(tea)
    expect(expired.refused).toEqual(["token"])
    const full = stage(Object.assign(new Error("x"), { code: "memory.full" }))
    await listIn(full.page).onPin(tea)
    expect(full.refused).toEqual([])
  })

  it("[MEM-7] what is refused says what to do about it, and can be tried again", () => {
    const refused = (code: string, detail: string) =>
      renderToStaticMarkup(<Refused note={{ code, detail }} onRetry={never} />)
    expect(refused("memory.full", "There are 500.")).toMatch(
      /role="alert".*Memory limit reached\..*There are 500\. Delete or unpin one.*Try again<\/button>/,
    )
    expect(refused("memory.unknown", "mem_1")).toContain("deleted by an agent or in another window")
    expect(refused("memory.unknown", "mem_1")).not.toContain("mem_1")
  })

  it("[TAB-27] the way to it says whether one is there", () => {
    expect(renderToStaticMarkup(<MemoryLink agent="a b" branch="main" current />)).toMatch(
      /href="#memory\/a%20b" aria-current="page".*Memory/,
    )
    expect(renderToStaticMarkup(<MemoryLink agent="host" branch="main" />)).not.toContain("aria-current")
  })
})

describe("one memory", () => {
  const listed = (lines: readonly MemoryLine[], opened?: string) =>
    renderToStaticMarkup(
      <MemoryList
        memories={lines}
        query=""
        agent="host"
        opened={opened}
        read={never}
        onEdit={never}
        onPin={never}
        onDelete={never}
      />,
    )

  it("[MEM-7] the one an address names is unfolded, and only that one", () => {
    const both = [tea, { ...tea, scope: "user" as const }]
    expect(listed(both).match(/<details open/g)).toBeNull()
    expect(listed(both, "project/tea").match(/<details open/g)).toHaveLength(1)
    expect(listed(both, "project/tea")).toMatch(/About the project.*<details open/s)
    expect(listed(both, "user/gone").match(/<details open/g)).toBeNull()
  })

  it("[TAB-27] whether it is pinned is a state of its button, and when it was written is a time", () => {
    const html = listed([tea, { ...tea, name: "rice", pinned: true }])
    expect(html).toMatch(/aria-label="Pin tea: agents read it in every turn"[^>]*aria-pressed="false"/)
    expect(html).toMatch(/aria-label="Unpin rice"[^>]*aria-pressed="true"/)
    expect(html).toContain('<time dateTime="2026-01-02T00:00:00.000Z">')
    expect(html.match(/ · pinned/g)).toHaveLength(1)
    expect(html).not.toContain("Green, no sugar")
  })

  it("[MEM-7] [TAB-27] the editor has a label for every box, says what each is for and whose it becomes", () => {
    const draft = { ...emptyDraft, description: '"><script>', pinned: true, body: "</textarea><b>" }
    const html = renderToStaticMarkup(<MemoryEditor draft={draft} isNew onSave={never} onClose={never} />)
    const boxes = [...html.matchAll(/<(?:input|textarea|select)[^>]* id="([^"]+)"/g)].map(([, id]) => id)
    expect(boxes).toHaveLength(5)
    for (const id of boxes) expect(html).toMatch(new RegExp(`for="${id}".*id="${id}-about"`, "s"))
    expect(html).toMatch(/role="switch" aria-checked="true"/)
    expect(html).toMatch(/value="user" selected="">Only me.*value="project">Everyone/)
    expect(html).not.toContain('aria-invalid="true"')
    expect(html).not.toContain("<script>")
    expect(html).not.toContain("<b>")
  })
})
