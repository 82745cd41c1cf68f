/** Labels and validation of memories. Pure. */
import { limits, type Memory, type MemoryLine, type MemoryScope, sizeWords } from "@parlor/protocol"

export type Group = { readonly scope: MemoryScope; readonly title: string; readonly memories: readonly MemoryLine[] }

/** The person's own first. A scope without any is left out. */
export function groupsOf(memories: readonly MemoryLine[]): readonly Group[] {
  const groups = (["user", "project"] as const).map((scope) => ({
    scope,
    title: scopeTitle(scope),
    memories: memories.filter((memory) => memory.scope === scope),
  }))
  return groups.filter((group) => group.memories.length > 0)
}

function scopeTitle(scope: MemoryScope): string {
  return scope === "user" ? "About you" : "About the project"
}

/** Who wrote it and where. A memory written by an agent may come from untrusted text it read. */
export function originWords({ scope, writtenBy, writtenIn }: MemoryLine): string {
  if (writtenIn === null) return scope === "user" ? "written by you" : "written by a person"
  return `written by ${writtenBy} in ${writtenIn.agent}/${writtenIn.branch}`
}

export function keyOf({ scope, name }: Pick<MemoryLine, "scope" | "name">): string {
  return `${scope}/${name}`
}

/** The form's draft. */
export type Draft = {
  readonly scope: MemoryScope
  readonly name: string
  readonly description: string
  readonly type: string
  readonly body: string
  readonly pinned: boolean
}

export const TYPES = ["user", "feedback", "project", "reference"] as const

export const emptyDraft: Draft = { scope: "user", name: "", description: "", type: "user", body: "", pinned: false }

export function draftOf({ scope, name, description, type, body, pinned }: Memory): Draft {
  return { scope, name, description, type, body, pinned }
}

/** Pasted text may contain them. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** The first problem of a draft that the server would reject, and its field. */
export function draftDefect(draft: Draft): { readonly field: keyof Draft; readonly words: string } | undefined {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(draft.name) || draft.name.length > limits.memoryNameLength)
    return {
      field: "name",
      words: `Use a-z, 0-9 and hyphens, such as metric-units. At most ${limits.memoryNameLength} characters.`,
    }
  if (draft.description.trim() === "") return { field: "description", words: "Enter a one-line description." }
  if (CONTROL.test(draft.description))
    return { field: "description", words: "Use one line of plain text, without tabs or line breaks." }
  if (draft.description.length > limits.memoryDescriptionLength)
    return { field: "description", words: `At most ${limits.memoryDescriptionLength} characters.` }
  if (!/^[a-z][a-z0-9-]*$/.test(draft.type) || draft.type.length > limits.memoryTypeLength)
    return { field: "type", words: "Use one word in lowercase letters." }
  if (new TextEncoder().encode(draft.body).length > limits.memoryBodyBytes)
    return { field: "body", words: `At most ${sizeWords(limits.memoryBodyBytes)}.` }
  return undefined
}
