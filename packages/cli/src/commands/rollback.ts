/** `parlor rollback …`: roll back to one of your messages, with a preview, and cancel it again (RBK-1). */
import { createInterface } from "node:readline/promises"
import type { Conversation } from "@parlor/client"
import {
  type MessageRow,
  newestRollback,
  type RollbackPreview,
  type RollbackRow,
  type Snapshot,
} from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { messageId, messageLines } from "../message-lines.ts"
import { plain, plainJson } from "../plain.ts"
import { shortened } from "../queue-lines.ts"
import { type ConversationOptions, conversationOf, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type RollbackOptions = ConversationOptions & { readonly terminal: Terminal }
export type ToOptions = RollbackOptions & { readonly scope?: string; readonly edit?: boolean; readonly yes?: boolean }

const SCOPES = ["both", "conversation", "files"] as const
/** How far back messages can be named by number; older ones need ids. */
const NUMBERED = 200

export async function list(options: RollbackOptions & { readonly json?: boolean }): Promise<number> {
  const { terminal, json } = options
  const snapshot = await (await conversationOf(options)).open({ messages: NUMBERED })
  const own = ownMessages(snapshot)
  const lines = json ? own.map((row) => plainJson(JSON.stringify(row))) : messageLines(own, snapshot.agent)
  for (const line of lines) await terminal.out(`${line}\n`)
  if (json) return 0
  if (own.length === 0) terminal.note("There are no messages to roll back to.")
  const newest = newestRollback(snapshot.rollbacks)
  if (newest !== undefined) terminal.note(inForceLine(newest, options))
  return 0
}

export async function preview(ref: string, options: RollbackOptions & { readonly edit?: boolean }): Promise<number> {
  const { conversation, id } = await find(ref, options)
  const seen = await conversation.rollbacks.preview(id, options.edit ? { edit: true } : {})
  if (options.terminal.isJson) await options.terminal.report("", seen)
  else await options.terminal.out(previewLines(seen, conversation.agent).join(""))
  return 0
}

export async function to(ref: string, options: ToOptions): Promise<number> {
  const { terminal, edit = false } = options
  const scope = SCOPES.find((one) => one === (options.scope ?? "both"))
  if (scope === undefined) throw new Complaint(`--scope must be one of: ${SCOPES.join(", ")}.`)
  const { conversation, id } = await find(ref, options)
  if (!options.yes && !(await isMeant(conversation, id, options))) return 1
  const { rollback, edited } = await conversation.rollbacks.make(id, { scope, edit })
  await terminal.report(`Rolled back (${rollback.id}). To undo it, use ${hint("rollback cancel", options)}.`, {
    rollback,
    edited,
  })
  if (edited !== null && !terminal.isJson) await terminal.out(`${edited.text}\n`)
  return 0
}

/** The newest one, unless another is named. */
export async function cancel(ref: string | undefined, options: RollbackOptions): Promise<number> {
  const conversation = await conversationOf(options)
  const newest = ref ?? newestRollback((await conversation.open({ messages: 1 })).rollbacks)?.id
  if (newest === undefined) throw new Complaint("There is no rollback to cancel.")
  const row = await conversation.rollbacks.cancel(newest)
  const dims = row.cancels === newest && row.toOrd < row.fromOrd
  const words = dims ? "Canceled. The messages sent after it are dimmed instead." : "Canceled. Everything is restored."
  await options.terminal.report(words, row)
  return 0
}

/** Shows a preview; asks for confirmation on a terminal, otherwise requires --yes. */
async function isMeant(conversation: Conversation, id: string, options: ToOptions): Promise<boolean> {
  const { terminal, edit = false, scope } = options
  const seen = await conversation.rollbacks.preview(id, { edit })
  const files = scope === "conversation" ? [] : seen.files
  const messages = scope === "files" ? { messages: [], count: 0 } : seen
  for (const line of previewLines({ ...seen, ...messages, files }, conversation.agent)) terminal.note(line.trimEnd())
  if (!process.stdin.isTTY) throw new Complaint("Pass --yes to roll back without a confirmation.")
  const line = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await line.question("Roll back? [y/N] ")).trim())
  } finally {
    line.close()
  }
}

function previewLines({ messages, count, files }: RollbackPreview, agent: string): readonly string[] {
  const hidden = count > messages.length ? [`  … and ${count - messages.length} earlier\n`] : []
  const lines = messages.map(({ role, author, text }) => {
    const speaker = author || (role === "agent" ? agent : "you")
    return `  ${plain(`${speaker}: ${shortened(text)}`)}\n`
  })
  const changes = files.map(({ path, change, conflict }) => {
    const edited = conflict ? " (edited outside of Parlor; a copy is kept)" : ""
    return `  ${plain(`${WORDS[change]}  ${path}${edited}`)}\n`
  })
  return [
    `${count} ${count === 1 ? "message" : "messages"} will be dimmed${count === 0 ? "." : ":"}\n`,
    ...hidden,
    ...lines,
    ...(changes.length === 0 ? ["No files will change.\n"] : ["Files:\n", ...changes]),
  ]
}

const WORDS = {
  restored: "will be restored ",
  recreated: "will be recreated",
  removed: "will be deleted  ",
  kept: "stays (too large)",
} as const

/** The messages you can roll back to. */
function ownMessages({ messages }: Snapshot): readonly MessageRow[] {
  return messages.filter(({ role, dimmed }) => role === "person" && !dimmed)
}

function inForceLine({ id, scope }: RollbackRow, options: RollbackOptions): string {
  const what = { both: "messages and files", conversation: "messages", files: "files" }[scope]
  return `Rolled back: ${what} (${id}). To undo it, use ${hint("rollback cancel", options)}.`
}

async function find(
  ref: string,
  options: RollbackOptions,
): Promise<{ readonly conversation: Conversation; readonly id: string }> {
  const conversation = await conversationOf(options)
  if (!/^\d+$/.test(ref)) return { conversation, id: ref }
  return { conversation, id: messageId(ownMessages(await conversation.open({ messages: NUMBERED })), ref) }
}
