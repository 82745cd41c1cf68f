/**
 * The lines of an export, and one line of an import, checked.
 *
 *   {"parlor":1,"agent":…,"branch":…,"title":…,"preview":…,"latestFile":…}   first line
 *   {"content":{…}}      a piece of a content in base64; comes before whatever names that content
 *   {"attachment":{…}}   a content that is an attachment of the person
 *   {"turn":{…}}  {"message":{…}}                                            in the order of the conversation
 *   {"archive":{…}}  {"file":{…}}  {"change":{…}}  {"rollback":{…}}          after the messages they are about
 *   {"memory":{…}}       a memory of the person, if they asked for them
 *   {"role":"person"|"agent","text":…}                                       a plain line, for import only
 *
 * Event numbers belong to one log and are not exported: archives and rollbacks say whether they are in force instead.
 */
import {
  type ArchiveRow,
  addedFields,
  type ChangeRow,
  collections,
  type FileRow,
  limits,
  type MemoryEntry,
  type MessageRow,
  memoryEntry,
  Refusal,
  type RollbackRow,
  type TurnRow,
  textDefect,
  wellFormedText,
} from "@parlor/protocol"
import { z } from "zod"
import type { Attachment } from "../ports/blobs.ts"

export type ContentPiece = { readonly hash: string; readonly bytes: number; readonly data: string }
export type ArchiveLine = Omit<ArchiveRow, "began" | "ended"> & { readonly inForce: boolean }
export type RollbackLine = Omit<RollbackRow, "began" | "ended" | "earlier" | "state"> & { readonly inForce: boolean }

export type ExportHead = {
  readonly title: string
  readonly preview: string | null
  readonly latestFile: string | null
}

export type ImportLine =
  | ({ readonly kind: "head" } & ExportHead)
  | { readonly kind: "plain"; readonly role: "person" | "agent"; readonly text: string }
  | { readonly kind: "content"; readonly content: ContentPiece }
  | { readonly kind: "attachment"; readonly attachment: Attachment }
  | { readonly kind: "turn"; readonly turn: TurnRow }
  | { readonly kind: "message"; readonly message: MessageRow }
  | { readonly kind: "archive"; readonly archive: ArchiveLine }
  | { readonly kind: "file"; readonly file: FileRow }
  | { readonly kind: "change"; readonly change: ChangeRow }
  | { readonly kind: "rollback"; readonly rollback: RollbackLine }
  | { readonly kind: "memory"; readonly memory: MemoryEntry }

/** A row's id is part of a table key and its index. */
const ID_LENGTH = 200
const id = z.string().min(1).max(ID_LENGTH)
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const plain = z.strictObject({ role: z.enum(["person", "agent"]), text: wellFormedText })
const head = z.object({
  parlor: z.literal(1),
  title: wellFormedText.max(limits.titleLength).default(""),
  preview: wellFormedText.max(limits.previewLength).nullable().default(null),
  latestFile: z.string().max(limits.filePathLength).nullable().default(null),
})
const content = z.strictObject({ hash, bytes: z.number().int().nonnegative(), data: z.string() })
const attachment = z.strictObject({
  hash,
  name: wellFormedText.min(1).max(limits.attachmentNameLength),
  mediaType: z.string().max(100),
  bytes: z.number().int().nonnegative(),
  at: z.number().int().nonnegative(),
})
const archive = collections.archives.omit({ began: true, ended: true }).extend({ id, inForce: z.boolean() })
const rollback = collections.rollbacks
  .omit({ began: true, ended: true, earlier: true, state: true })
  .extend({ id, inForce: z.boolean() })
const message = z
  .preprocess(withAdded("messages"), collections.messages)
  .refine((row) => row.id.length > 0 && row.id.length <= ID_LENGTH)
const turn = z.preprocess(withAdded("turns"), collections.turns).refine((row) => row.id.length <= ID_LENGTH)

/** By the name of the line. */
const schemas = {
  message: z.strictObject({ message }),
  turn: z.strictObject({ turn }),
  content: z.strictObject({ content }),
  attachment: z.strictObject({ attachment }),
  archive: z.strictObject({ archive: archive.strict() }),
  file: z.strictObject({ file: collections.files.strict() }),
  change: z.strictObject({ change: collections.changes.strict() }),
  rollback: z.strictObject({ rollback: rollback.strict() }),
  memory: z.strictObject({ memory: memoryEntry.strict().refine(({ scope }) => scope === "user") }),
} as const

const names = Object.keys(schemas) as (keyof typeof schemas)[]

/** Pointers are into the array of lines: `/0/text` is the text of the first one. */
export function parseLine(text: string, number: number): ImportLine {
  const value = parseJson(text, number)
  const found = typeof value === "object" && value !== null ? lineOf(value) : undefined
  if (found !== undefined) return found
  throw new Refusal(
    "import.invalid",
    `Line ${number} is neither { "role": "person" | "agent", "text": … } nor a line of an export.`,
    `/${number - 1}`,
  )
}

function lineOf(value: object): ImportLine | undefined {
  if ("parlor" in value) {
    const parsed = head.safeParse(value)
    if (!parsed.success) return undefined
    const { title, preview, latestFile } = parsed.data
    return { kind: "head", title, preview, latestFile }
  }
  const kind = names.find((name) => name in value)
  if (kind === undefined) {
    const parsed = plain.safeParse(value)
    return parsed.success ? { kind: "plain", ...parsed.data } : undefined
  }
  const parsed = schemas[kind].safeParse(value)
  if (!parsed.success) return undefined
  const line = { kind, ...parsed.data } as Exclude<ImportLine, { kind: "head" | "plain" }>
  return line.kind === "turn" ? { kind: "turn", turn: withoutRecord(line.turn) } : line
}

/** Exports of earlier versions have fewer fields. */
function withAdded(collection: "messages" | "turns"): (row: unknown) => unknown {
  return (row) => (typeof row === "object" && row !== null ? { ...addedFields[collection], ...row } : row)
}

/** What its models were told is content too, and its event numbers belong to one log (LOG-15). */
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

/** An escaped defect shows only after parsing; checking for escapes first keeps the common case cheap. */
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
