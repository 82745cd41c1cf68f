/** `parlor compact` and `parlor archives …`: summaries of older messages (CPT-1 to CPT-6). */
import type { Conversation } from "@parlor/client"
import type { ArchiveRow, TurnRow } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { exitCodes } from "../exit-codes.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ArchivesOptions = ConversationOptions & { readonly terminal: Terminal }

export async function compact(options: ArchivesOptions & { readonly keepTurns?: string }): Promise<number> {
  const { terminal, keepTurns } = options
  const conversation = await conversationOf(options)
  const { turn } = await conversation.compact(keepTurns === undefined ? {} : { keepTurns: Number(keepTurns) })
  terminal.note("Compacting. The messages stay readable.")
  const ended = await endOf(conversation, turn)
  if (ended.state !== "done")
    throw new Complaint(ended.error?.detail ?? `The compaction ended as ${ended.state}.`, exitCodes.turnFailed)
  const archives = await conversation.archives.list()
  const made = archives.findLast(({ ended }) => ended === null)
  if (made !== undefined) await terminal.report(lineOf(made), made)
  return 0
}

export async function list(options: ArchivesOptions & { readonly json?: boolean }): Promise<number> {
  const { terminal } = options
  const archives = await (await conversationOf(options)).archives.list()
  for (const archive of archives)
    await terminal.out(`${options.json ? plainJson(JSON.stringify(archive)) : lineOf(archive)}\n`)
  if (archives.length === 0 && !options.json) terminal.note("There are no archives yet.")
  return 0
}

export async function show(id: string, options: ArchivesOptions): Promise<number> {
  const { archive, messages } = await (await conversationOf(options)).archives.open(id)
  if (options.terminal.isJson) {
    await options.terminal.report("", { archive, messages })
    return 0
  }
  await options.terminal.out(`${lineOf(archive)}\n\n${plain(archive.summary)}\n`)
  options.terminal.note(`\nIt covers at least ${messages.length} messages. ${hint("export", options)} writes them all.`)
  return 0
}

export async function undo(id: string, options: ArchivesOptions): Promise<number> {
  const archive = await (await conversationOf(options)).archives.undo(id)
  await options.terminal.report(`Undone: ${plain(archive.title)}. The model sees its messages again.`, archive)
  return 0
}

/** Follows the log until that run has ended. */
async function endOf(conversation: Conversation, turn: string): Promise<TurnRow> {
  const over = new AbortController()
  for await (const batch of conversation.follow({ signal: over.signal })) {
    const rows = batch.filter(({ type, key }) => type === "turns" && key === turn).map(({ value }) => value as TurnRow)
    const ended = rows.find(({ endedAt }) => endedAt !== null)
    if (ended === undefined) continue
    over.abort()
    return ended
  }
  throw new Complaint("The connection ended before the compaction did.", exitCodes.unreachable)
}

function lineOf({ id, title, archivedAt, tokensBefore, tokensAfter, ended }: ArchiveRow): string {
  const when = new Date(archivedAt).toLocaleString()
  return plain(`${id}  ${when}  ${tokensBefore} → ${tokensAfter} tokens  ${title}${ended === null ? "" : "  (undone)"}`)
}
