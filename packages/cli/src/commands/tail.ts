import { styleText } from "node:util"
import { type Conversation, ParlorError } from "@parlor/client"
import { type ChangeEvent, START_OFFSET } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf } from "../settings.ts"
import type { Terminal } from "../terminal.ts"
import { Transcript } from "../transcript.ts"

export type TailOptions = ConversationOptions & {
  readonly messages: string
  readonly from?: string | undefined
  readonly json?: boolean
  readonly terminal: Terminal
}

export async function tail(options: TailOptions): Promise<number> {
  const conversation = await conversationOf(options)
  const read = (from: string | undefined) =>
    options.json
      ? tailJson(conversation, from ?? "now", options.terminal)
      : tailText(conversation, { ...options, from })
  for (let from = options.from; ; from = START_OFFSET) {
    try {
      return await read(from)
    } catch (error) {
      if (!isGone(error)) throw error
      options.terminal.note("The conversation was restored from a backup. Showing it from the start.")
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ParlorError && error.code === "offset.gone"
}

async function tailJson(conversation: Conversation, offset: string, terminal: Terminal): Promise<number> {
  for await (const changes of conversation.follow({ offset })) await terminal.out(jsonLines(changes))
  return 0
}

export function jsonLines(changes: readonly ChangeEvent[]): string {
  return changes.map((change) => `${plainJson(JSON.stringify(change))}\n`).join("")
}

async function tailText(conversation: Conversation, options: TailOptions): Promise<number> {
  const { terminal } = options
  const count = Number(options.messages)
  if (!Number.isInteger(count) || count < 0) throw new Complaint("--messages must be a whole number.")
  const snapshot = await conversation.open({ messages: Math.max(1, count) })
  const emphasis = terminal.isInteractive ? (name: string) => styleText("bold", name) : undefined
  const { agent, person } = snapshot
  const transcript = new Transcript({ agent, person, ...(emphasis ? { emphasis } : {}) })
  if (options.from === undefined && count > 0) await terminal.out(transcript.history(snapshot.messages))
  for await (const changes of conversation.follow({ offset: options.from ?? snapshot.offset }))
    await terminal.out(transcript.read(changes))
  return 0
}
