/** One line of an import, checked. */
import { collections, type MessageRow, Refusal, type TurnRow, textDefect, wellFormedText } from "@parlor/protocol"
import { z } from "zod"
import { NEWER } from "../log/read-turn.ts"

const line = z.union([
  z.strictObject({ role: z.enum(["person", "agent"]), text: wellFormedText }),
  z.strictObject({ message: collections.messages }),
  z.strictObject({ turn: z.preprocess(withNewer, collections.turns) }),
  z.object({ parlor: z.literal(1), title: wellFormedText.default("") }),
])

export type ImportLine =
  | { readonly kind: "head"; readonly title: string }
  | { readonly kind: "turn"; readonly turn: TurnRow }
  | { readonly kind: "message"; readonly message: MessageRow }
  | { readonly kind: "plain"; readonly role: "person" | "agent"; readonly text: string }

/** Pointers are into the array of lines: `/0/text` is the text of the first one. */
export function parseLine(text: string, number: number): ImportLine {
  const parsed = line.safeParse(parseJson(text, number))
  if (!parsed.success)
    throw new Refusal(
      "import.invalid",
      `Line ${number} is neither { "role": "person" | "agent", "text": … } nor a line of an export.`,
      `/${number - 1}`,
    )
  const value = parsed.data
  if ("parlor" in value) return { kind: "head", title: value.title }
  if ("turn" in value) return { kind: "turn", turn: withoutRecord(value.turn) }
  if ("message" in value) return { kind: "message", message: withoutKept(value.message) }
  return { kind: "plain", role: value.role, text: value.text }
}

/** Contents do not come along, and whoever names one by its hash alone may not be the one it belongs to. */
function withoutKept(message: MessageRow): MessageRow {
  const parts = message.parts.map((part) => {
    if (part.type !== "tool") return part
    const { kept: _, ...rest } = part
    return rest
  })
  return { ...message, parts }
}

/** Exports of earlier versions say less. */
function withNewer(turn: unknown): unknown {
  return typeof turn === "object" ? { ...NEWER, ...turn } : turn
}

/** What its models were told is content too, and its events are numbers of one log (LOG-15). */
export function withoutRecord(turn: TurnRow): TurnRow {
  return { ...turn, began: null, step: null }
}

function parseJson(text: string, number: number): unknown {
  const defect = textDefect(text) ?? escapedDefect(text)
  if (defect !== undefined) throw new Refusal("text.malformed", `Line ${number} ${defect}.`, `/${number - 1}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal("import.invalid", `Line ${number} is not JSON.`, `/${number - 1}`)
  }
}

/** A defect written as an escape shows only after parsing; looking for the escape first keeps the common case cheap. */
function escapedDefect(text: string): string | undefined {
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return undefined
  try {
    let defect: string | undefined
    JSON.parse(text, (key, value) => {
      defect ??= textDefect(key) ?? (typeof value === "string" ? textDefect(value) : undefined)
      return value
    })
    return defect
  } catch {
    return undefined
  }
}
