/** What a workspace tool call does to a file, from its input alone (WSP-2). Pure. */
import type { ToolPart } from "@parlor/protocol"
import { addedLines, lineDiff } from "./lineDiff.ts"

export type FileCall = {
  /** A short description next to the tool's name. */
  readonly words: string
  /** One per changed place. */
  readonly diffs: readonly string[]
}

export function fileCall({ name, input, foreign }: Pick<ToolPart, "name" | "input" | "foreign">): FileCall | undefined {
  if (foreign !== undefined) return foreignChange(foreign)
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined
  const { path, content, edits, from, to } = input
  if (name === "move_file" && isText(from) && isText(to)) return { words: `${from} → ${to}`, diffs: [] }
  if (!isText(path)) return undefined
  if (name === "delete_file") return { words: path, diffs: [] }
  if (name === "write_file" && isText(content)) return { words: path, diffs: [addedLines(content)] }
  if (name === "edit_file" && Array.isArray(edits)) {
    const pairs = edits.filter(isEdit)
    return pairs.length === edits.length
      ? { words: path, diffs: pairs.map((one) => lineDiff(one.old, one.new)) }
      : undefined
  }
  return undefined
}

/** A hosted agent reports the diffs of its edits (HST-3). */
function foreignChange({ title, diffs }: NonNullable<ToolPart["foreign"]>): FileCall | undefined {
  const known = diffs.flatMap(({ diff }) => (diff === null ? [] : [diff]))
  return known.length === 0 ? undefined : { words: title, diffs: known }
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

function isEdit(value: unknown): value is { readonly old: string; readonly new: string } {
  if (typeof value !== "object" || value === null) return false
  const { old, new: now } = value as { readonly old?: unknown; readonly new?: unknown }
  return isText(old) && isText(now)
}
