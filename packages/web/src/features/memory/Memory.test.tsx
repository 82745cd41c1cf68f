import { limits, type MemoryLine } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { MemoryEditor } from "./MemoryEditor.tsx"
import { MemoryList } from "./MemoryList.tsx"
import { draftDefect, emptyDraft, groupsOf, originWords } from "./memoryView.ts"

function line(change: Partial<MemoryLine> = {}): MemoryLine {
  const written = { writtenBy: "person", writtenIn: null, createdAt: 0, updatedAt: Date.UTC(2026, 0, 2) }
  return { scope: "user", name: "tea", description: "Drinks tea", type: "user", pinned: false, ...written, ...change }
}
const byAgent = { writtenBy: "crab", writtenIn: { agent: "crab", branch: "main" } }
const never = () => {
  throw new Error("nobody pressed anything")
}
const listed = (memories: readonly MemoryLine[] | undefined, query = "") =>
  renderToStaticMarkup(
    <MemoryList
      memories={memories}
      query={query}
      agent="host"
      read={never}
      onEdit={never}
      onPin={never}
      onDelete={never}
    />,
  )

describe("the page of memories", () => {
  it("[MEM-7] lists the person's own and the project's apart, each with name, type and who wrote it", () => {
    const html = listed([
      line({ pinned: true }),
      line({ scope: "project", name: "june", description: "Ship", ...byAgent }),
    ])
    expect(html.indexOf("About you")).toBeLessThan(html.indexOf("Drinks tea"))
    expect(html.indexOf("Drinks tea")).toBeLessThan(html.indexOf("About the project"))
    expect(html).toContain("written by you")
    expect(html).toContain("written by crab")
    expect(html).toContain("pinned")
    for (const label of ["Unpin tea", "Edit tea", "Delete tea", "Pin june: agents read it in every turn"])
      expect(html).toContain(`aria-label="${label}"`)
    expect(groupsOf([line({ scope: "project" })]).map(({ scope }) => scope)).toEqual(["project"])
    expect(originWords(line({ scope: "project" }))).toBe("written by a person")
  })

  it("[MEM-7] says what to do when there is nothing, and what was looked for when nothing is found", () => {
    expect(listed([])).toContain("No memories yet")
    expect(listed([])).toContain("Tell host “remember that I want metric units”")
    expect(listed([], " green tea ")).toContain("contains all these words: green tea")
    expect(listed(undefined)).toContain("Loading")
  })

  it("[SEC-6] descriptions, names and types are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const html = listed([
      line({ description: evil, type: evil, name: evil, writtenBy: evil, writtenIn: { agent: "a", branch: evil } }),
    ])
    expect(html).not.toContain("<img")
  })

  it("[MEM-7] a new one is given a name and a scope; an old one keeps them", () => {
    const editor = (isNew: boolean) =>
      renderToStaticMarkup(
        <MemoryEditor draft={{ ...emptyDraft, name: "tea" }} isNew={isNew} onSave={never} onClose={never} />,
      )
    expect(editor(true)).toContain('name="name"')
    expect(editor(true)).toContain('name="scope"')
    expect(editor(false)).toContain('aria-label="Edit tea"')
    expect(editor(false)).not.toContain('name="name"')
  })

  it("[MEM-8] what the server would turn down is told before it is sent, by its field", () => {
    const good = { ...emptyDraft, name: "green-tea", description: "Drinks it" }
    expect(draftDefect(good)).toBeUndefined()
    const bad = [
      ["name", { name: "Green Tea" }],
      ["name", { name: "x".repeat(limits.memoryNameLength + 1) }],
      ["description", { description: " " }],
      ["description", { description: "x".repeat(limits.memoryDescriptionLength + 1) }],
      ["type", { type: "Two Words" }],
      ["body", { body: "é".repeat(limits.memoryBodyBytes / 2 + 1) }],
    ] as const
    for (const [field, change] of bad) expect(draftDefect({ ...good, ...change })?.field).toBe(field)
  })
})
