/**
 * The prompts of past steps, rebuilt from their rows by the function that built them (CPT-10). The result is compared
 * with the fingerprint taken when the prompt was sent: only an exact copy is called exact.
 */
import {
  type Address,
  type ArchiveRow,
  type InspectedMessage,
  type InspectedPrompt,
  limits,
  type MessageRow,
  parseRow,
  type StepNote,
  type StreamId,
  type TurnRow,
} from "@parlor/protocol"
import { loadCarried } from "../composer/attached.ts"
import { buildRequest, type RequestInput } from "../context/context.ts"
import { shortenParts } from "../context/shorten.ts"
import { readLine, sectionsOf } from "../log/line.ts"
import type { ModelRequest } from "../ports/model.ts"
import type { Ports } from "../ports/ports.ts"
import { readBrief } from "./brief.ts"
import { fingerprint, plainMessage } from "./fingerprint.ts"

const PAGE = 200

export type Place = { readonly stream: StreamId; readonly address: Address; readonly turn: TurnRow }

/** Rebuilds one step of a turn after another; what was read for one is reused for the next. */
export function rebuilding(node: Ports, place: Place): (note: StepNote) => Promise<InspectedPrompt> {
  const rows = new Map<number, MessageRow>()
  let room: number = limits.inspectedPromptBytes
  return async (note) => {
    if (room <= 0) return { state: "left-out", request: null }
    const brief = note.brief === null ? undefined : await readBrief(node, note.brief)
    if (brief === undefined) return { state: "missing", request: null }
    const shown = (await shownMessages(node, place, note, rows)).map((row) => asAsked(row, place.turn, note))
    const messages = note.maxPartChars === undefined ? shown : shortenParts(shown, note.maxPartChars)
    const archive = note.archive === null ? undefined : await archiveOf(node, place.stream, note.archive)
    const summary = archive?.summary
    const attached = await loadCarried(node.store.blobs, place.address.person, messages, note.attached)
    const request = buildRequest({
      ...brief,
      messages,
      attached,
      ...(summary === undefined ? {} : { summary }),
      ...returnTo(place.turn, note, archive),
    })
    room -= sizeOf(request)
    return { state: fingerprint(request) === note.fingerprint ? "exact" : "differs", request: asShown(request) }
  }
}

/** In conversation order. Deleted messages are left out; the fingerprints then differ. */
async function shownMessages(
  node: Ports,
  { stream }: Place,
  note: StepNote,
  rows: Map<number, MessageRow>,
): Promise<readonly MessageRow[]> {
  const found: MessageRow[] = []
  for (const [from, to] of note.shown) {
    if (!hasAll(rows, from, to)) await readStretch(node, stream, { from, to }, rows)
    for (let ord = from; ord <= to; ord++) {
      const row = rows.get(ord)
      if (row !== undefined) found.push(row)
    }
  }
  return found
}

function hasAll(rows: ReadonlyMap<number, MessageRow>, from: number, to: number): boolean {
  for (let ord = from; ord <= to; ord++) if (!rows.has(ord)) return false
  return true
}

async function readStretch(
  node: Ports,
  stream: StreamId,
  { from, to }: { readonly from: number; readonly to: number },
  into: Map<number, MessageRow>,
): Promise<void> {
  for await (const page of readLine(node.store, stream, { page: PAGE, before: to + 1 }))
    for (const row of page.rows) {
      if ((row.ord ?? 0) < from) return
      into.set(row.ord ?? 0, parseRow("messages", row.value))
    }
}

/** Context inserted after the model call was not part of its prompt. */
function asAsked(row: MessageRow, turn: TurnRow, note: StepNote): MessageRow {
  return row.id === turn.message ? { ...row, parts: row.parts.slice(0, note.questionParts) } : row
}

/** The last attempt is the one with the fingerprint. */
function returnTo(
  { id: turn }: TurnRow,
  { attempts, returns }: StepNote,
  archive: ArchiveRow | undefined,
): Pick<RequestInput, "returnTo"> {
  const model = attempts.at(-1)?.model
  if (returns !== true || model === undefined) return {}
  return { returnTo: { model, turn, afterOrd: archive?.madeOrd ?? 0 } }
}

async function archiveOf(node: Ports, stream: StreamId, id: string): Promise<ArchiveRow | undefined> {
  for (const section of await sectionsOf(node.store, stream)) {
    const read = await node.store.log.read(section.stream, [{ collection: "archives", key: id }])
    const row = read?.lists[0]?.[0]
    if (row !== undefined) return parseRow("archives", row.value)
  }
  return undefined
}

function asShown({ instructions, messages, tools }: ModelRequest): InspectedPrompt["request"] {
  return {
    instructions,
    messages: messages.map((message) => plainMessage(message) as InspectedMessage),
    tools: tools.map((tool) => ({ ...tool })),
  }
}

function sizeOf({ instructions, messages, tools }: ModelRequest): number {
  return instructions.length + JSON.stringify([messages.map(plainMessage), tools]).length
}
