/** `parlor branch …` and `parlor sidecar …`: branches from a message, and side chats (BRA-1, BRA-4). */
import type { Conversation } from "@parlor/client"
import { type BranchView, MAIN_BRANCH } from "@parlor/protocol"
import { messageId } from "../message-lines.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf, hint, quoted } from "../settings.ts"
import type { Terminal } from "../terminal.ts"
import { send } from "./send.ts"

export type BranchOptions = ConversationOptions & { readonly terminal: Terminal }
export type ListOptions = BranchOptions & { readonly json?: boolean }

/** How far back messages can be named by number; older ones need ids. */
const NUMBERED = 200

export function list(options: ListOptions): Promise<number> {
  return listed(options, "There are no branches.", () => true)
}

export function sidecars(options: ListOptions): Promise<number> {
  return listed(options, "There are no side chats.", ({ ephemeral }) => ephemeral)
}

/** From the newest message by default; empty for a new conversation. */
export async function make(
  ref: string | undefined,
  options: BranchOptions & { readonly name?: string; readonly empty?: boolean },
): Promise<number> {
  const { terminal, name, empty } = options
  const conversation = await conversationOf(options)
  const from = empty ? undefined : await messageOf(conversation, ref ?? "1")
  const place = await conversation.branches.make({
    ...(from === undefined ? {} : { from }),
    ...(name === undefined ? {} : { name }),
  })
  const words = `Created ${plain(place.branch)}. Talk in it with ${hint("chat", { ...options, branch: place.branch })}.`
  await terminal.report(words, place)
  if (!terminal.isJson) await terminal.out(`${plain(place.branch)}\n`)
  return 0
}

/** Its own branches must be named: they are deleted too. */
export async function remove(
  name: string,
  options: BranchOptions & { readonly with?: readonly string[] },
): Promise<number> {
  const branches = options.with ?? []
  await (await conversationOf({ ...options, branch: name })).delete({ branches })
  await options.terminal.report(`Deleted ${plain(name)}.`, { deleted: name, branches })
  return 0
}

/** Asks a side question in a new sidecar and prints the answer. */
export async function ask(
  words: readonly string[],
  options: BranchOptions & { readonly from?: string; readonly name?: string },
): Promise<number> {
  const { terminal, name } = options
  const conversation = await conversationOf(options)
  const from = await messageOf(conversation, options.from ?? "1")
  const place = await conversation.branches.make({
    ...(from === undefined ? {} : { from }),
    ...(name === undefined ? {} : { name }),
    ephemeral: true,
  })
  terminal.note(
    `[side chat ${plain(place.branch)}: ${hint(`sidecar merge ${quoted(place.branch)}`, { ...options, branch: MAIN_BRANCH })} copies the answer into the conversation]`,
  )
  return send(words, { ...options, branch: place.branch, wait: true })
}

export async function keep(name: string, options: BranchOptions): Promise<number> {
  await (await conversationOf({ ...options, branch: name })).branches.keep()
  await options.terminal.report(`${plain(name)} is an ordinary branch now.`, { kept: name })
  return 0
}

export async function merge(name: string, options: BranchOptions): Promise<number> {
  const merged = await (await conversationOf({ ...options, branch: name })).branches.merge()
  const { branch, outcome } = merged
  const how = outcome === "merged" ? "will be used by the next turn" : "was added to the running turn"
  await options.terminal.report(`The answer of ${plain(name)} is in ${plain(branch)}: it ${how}.`, merged)
  return 0
}

async function listed(options: ListOptions, none: string, isWanted: (row: BranchView) => boolean): Promise<number> {
  const { terminal, json } = options
  const branches = (await (await conversationOf(options)).branches.list()).filter(isWanted)
  const width = Math.max(0, ...branches.map(({ branch }) => branch.length))
  for (const row of branches) await terminal.out(`${json ? plainJson(JSON.stringify(row)) : lineOf(row, width)}\n`)
  if (branches.length === 0 && !json) terminal.note(none)
  return 0
}

function lineOf({ branch, ephemeral, state, title, preview }: BranchView, width: number): string {
  const kind = ephemeral ? "sidecar" : "branch "
  return plain(`${branch.padEnd(width)}  ${kind}  ${state.padEnd(8)}  ${preview || title}`.trimEnd())
}

/** Undefined if there are no messages yet. */
async function messageOf(conversation: Conversation, ref: string): Promise<string | undefined> {
  if (!/^\d+$/.test(ref)) return ref
  const { messages } = await conversation.open({ messages: NUMBERED })
  const settled = messages.filter(({ state }) => state !== "streaming")
  return ref === "1" && settled.length === 0 ? undefined : messageId(settled, ref)
}
