/** A tool's input for a person to allow or deny: file edits as diff lines, everything else as fields. Pure. */
import type { ToolPart } from "@parlor/protocol"
import { t } from "../../texts/en/ask.ts"
import { readable } from "../message/messageView.ts"

export type InputLine = { readonly sign: "+" | "-" | "…"; readonly text: string }
export type InputBlock =
  | { readonly kind: "value"; readonly name: string; readonly text: string }
  /** Removed and added lines. */
  | { readonly kind: "lines"; readonly name: string; readonly lines: readonly InputLine[] }

/** Enough to decide; the complete input is shown with the tool call in the conversation. */
const MAX_LINES = 400

type Json = ToolPart["input"]

export function inputBlocks(input: Json): readonly InputBlock[] {
  if (!isObject(input)) return [{ kind: "value", name: "", text: readable(input) }]
  return Object.entries(input).map(([name, value]) => {
    const edits = editsIn(value)
    if (edits !== undefined) return { kind: "lines", name, lines: shortened(edits) }
    if (name === "content" && typeof value === "string" && "path" in input)
      return { kind: "lines", name, lines: shortened(linesOf(value, "+")) }
    return { kind: "value", name, text: readable(value) }
  })
}

/** `[{ old, new }]`, as tools that edit files take it. */
function editsIn(value: Json | undefined): readonly InputLine[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const lines: InputLine[] = []
  for (const [index, edit] of value.entries()) {
    if (!isObject(edit) || typeof edit.old !== "string" || typeof edit.new !== "string") return undefined
    if (index > 0) lines.push({ sign: "…", text: "" })
    lines.push(...linesOf(edit.old, "-"), ...linesOf(edit.new, "+"))
  }
  return lines
}

function linesOf(text: string, sign: "+" | "-"): readonly InputLine[] {
  if (text === "") return []
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({ sign, text: line }))
}

function shortened(lines: readonly InputLine[]): readonly InputLine[] {
  if (lines.length <= MAX_LINES) return lines
  return [...lines.slice(0, MAX_LINES), { sign: "…", text: t("moreLines", { count: lines.length - MAX_LINES }) }]
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
