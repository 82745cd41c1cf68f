/** What a hosted agent is told (HST-2). Pure. */
import { lineRange, type MessageRow } from "@parlor/protocol"
import { LADDER, transcriptOf } from "../compaction/transcript.ts"
import { type Attached, BETWEEN, lowerPerson } from "../composer/lower.ts"
import type { HarnessFile, HarnessPrompt } from "../ports/harness.ts"
import { written } from "../text/tags.ts"

/** Of earlier messages, for a session that does not know them. The newest ones are kept. */
const BACKGROUND_CHARS = 60_000
const MISSED_CHARS = 20_000
const MAX_FILES = 64

/** The messages of one prompt: the one that starts the turn, or those that steer it. */
export function promptOf(
  messages: readonly MessageRow[],
  attached: Attached,
): Pick<HarnessPrompt, "text" | "files" | "attachments"> {
  const lowered = messages.map((message) => lowerPerson(message, attached))
  const pieces = lowered.flatMap((one, index) => (index === 0 ? one.pieces : [BETWEEN, ...one.pieces]))
  return {
    text: written(pieces),
    files: messages.flatMap(filesOf).slice(0, MAX_FILES),
    attachments: lowered.flatMap(({ attachments }) => attachments),
  }
}

/** What was said after the agent's own last message and before this prompt: guests, merged side chats, failed turns. */
export function missedOf(history: readonly MessageRow[], prompt: readonly MessageRow[]): string {
  const own = history.findLastIndex((one) => isOwn(one) && one.turn !== prompt[0]?.turn)
  if (own < 0) return ""
  const messages = history.slice(own + 1).filter((one) => !isOwn(one) && !prompt.some(({ id }) => id === one.id))
  return newestText(messages, MISSED_CHARS)
}

/** For a session that begins in the middle of a conversation. */
export function backgroundOf(
  instructions: string,
  history: readonly MessageRow[],
  prompt: readonly MessageRow[],
  summary: string | undefined,
): string {
  const before = history.filter((one) => !prompt.some(({ id }) => id === one.id))
  const earlier = newestText(before, BACKGROUND_CHARS)
  const said = [summary ?? "", earlier].filter((text) => text !== "").join("\n\n")
  const told = said === "" ? "" : `The conversation so far, which you have no other record of:\n\n${said}`
  return [instructions, told].filter((text) => text !== "").join("\n\n")
}

function newestText(messages: readonly MessageRow[], room: number): string {
  const [, rung] = LADDER
  if (rung === undefined || messages.length === 0) return ""
  const texts = transcriptOf(messages, rung, room)
  const kept: string[] = []
  let left = room
  for (const text of [...texts].reverse()) {
    if (text.length > left) {
      kept.unshift("[Earlier messages are left out.]")
      break
    }
    left -= text.length
    kept.unshift(text)
  }
  return kept.join("\n\n")
}

function isOwn({ role, author }: MessageRow): boolean {
  return role === "agent" && author === ""
}

function filesOf({ composer }: MessageRow): readonly HarnessFile[] {
  return (composer?.nodes ?? []).flatMap((node) => {
    if (node.kind !== "file" || typeof node.path !== "string") return []
    const lines = lineRange(node)
    return [{ path: node.path, ...(lines === undefined ? {} : { from: lines.from, to: lines.to }) }]
  })
}
