/** Labels and validation of memories. Pure. */
import { limits, type Memory, type MemoryLine, type MemoryScope, plainWords, sizeWords } from "@parlor/protocol"
import { t } from "../../texts/en/memory.ts"

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
  return scope === "user" ? t("aboutYou") : t("aboutTheProject")
}

/** Who wrote it and where. A memory written by an agent may come from untrusted text it read. */
export function originWords({ scope, writtenBy, writtenIn }: MemoryLine): string {
  if (writtenIn === null) return scope === "user" ? t("writtenByYou") : t("writtenByAPerson")
  return t("writtenByWrittenby", { writtenBy })
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

/** A draft from one text: its first line describes it and names it, the rest follows from "Advanced" or stays as it is. */
export function completedDraft(draft: Draft): Draft {
  const line = firstLine(draft.body)
  const description =
    draft.description.trim() === "" ? excerptOf(line, limits.memoryDescriptionLength) : draft.description
  return { ...draft, description, name: draft.name === "" ? nameFrom(description) : draft.name }
}

function firstLine(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? ""
  return plainWords(line)
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ")
    .trim()
}

function excerptOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`
}

/** Lowercase words with hyphens; a text without Latin letters gets a name from the time. */
function nameFrom(description: string): string {
  const words = description
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const name = (words ?? []).slice(0, 6).join("-").slice(0, 48).replace(/-$/, "")
  return name === "" ? `note-${Date.now().toString(36)}` : name
}

/** Pasted text may contain them. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** The first problem of a draft that the server would reject, and its field. */
export function draftDefect(draft: Draft): { readonly field: keyof Draft; readonly words: string } | undefined {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(draft.name) || draft.name.length > limits.memoryNameLength)
    return {
      field: "name",
      words: t("useAZ09", { memoryNameLength: limits.memoryNameLength }),
    }
  if (draft.description.trim() === "") return { field: "description", words: t("enterAOneLineDescription") }
  if (CONTROL.test(draft.description)) return { field: "description", words: t("useOneLineOfPlain") }
  if (draft.description.length > limits.memoryDescriptionLength)
    return {
      field: "description",
      words: t("atMostMemorydescriptionlengthCharacters", { memoryDescriptionLength: limits.memoryDescriptionLength }),
    }
  if (!/^[a-z][a-z0-9-]*$/.test(draft.type) || draft.type.length > limits.memoryTypeLength)
    return { field: "type", words: t("useOneWordInLowercase") }
  if (new TextEncoder().encode(draft.body).length > limits.memoryBodyBytes)
    return { field: "body", words: t("atMostSize", { size: sizeWords(limits.memoryBodyBytes) }) }
  return undefined
}
