/** One turn while it runs: its input and its current state. */
import { type ArchiveRow, type MessageRow, type NewChange, parseRow, type TurnRow } from "@parlor/protocol"
import type { NewContext } from "../agent/handler.ts"
import type { Skill } from "../agent/skill.ts"
import type { Shelf } from "../composer/attached.ts"
import type { Brief } from "../context/brief.ts"
import { cachedHistory, type History, type HistoryOptions, readHistory } from "../context/history.ts"
import type { Owner } from "../log/owner.ts"
import type { Replying } from "../model-call/begin-reply.ts"
import type { Reply } from "../model-call/reply.ts"
import type { Returning } from "../model-call/try-model.ts"
import { skillsOf } from "../skill/skills-of.ts"
import { type Commands, commandChanges, synced } from "../slash-command/command.ts"
import { lentCommands } from "../slash-command/lent-commands.ts"
import { newContexts } from "./inserted.ts"
import { briefFor } from "./prepare.ts"
import type { TurnAccess } from "./turn-access.ts"

export type TurnInput = Replying & {
  readonly owner: Owner
  /** A message whose model call had finished before a crash, with tools left to run. */
  readonly resume: MessageRow | undefined
  /** The reply of an interrupted step. The model call is repeated, and the new reply replaces it. */
  readonly cut: MessageRow | undefined
  /** The turn was interrupted and continues. */
  readonly recovered: boolean
  /** Attachments it has loaded. */
  readonly shelf: Shelf
  readonly returning: Returning
}

export type Run = {
  readonly node: TurnAccess
  readonly parts: TurnInput
  brief: Brief
  /** Replaces what came before the messages (CPT-1). */
  archive: ArchiveRow | undefined
  /** The messages the model is shown, in conversation order; new replies are added. */
  readonly history: MessageRow[]
  /** Whether these are all messages since the archive. */
  isWhole: boolean
  /** The message the turn answers. It may be too old for the model's window. */
  message: MessageRow | undefined
  /** Empty for a guest, which has no tools to read them. */
  readonly skills: readonly Skill[]
  commands: Commands
  turn: TurnRow
  /** Messages it sent to other agents. */
  sends: number
  /** The reply being streamed, for when the turn is aborted. */
  reply: Reply | undefined
  /** A message whose model call had finished before a crash: the first step continues with it. */
  resume: MessageRow | undefined
  /** The reply of the step that is repeated: still in the history. */
  cut: MessageRow | undefined
  /** A hosted agent's turn was interrupted, and what that left was settled (HST-8). */
  isHarnessResumed?: boolean
}

/** A step that is done but not saved. */
export type LastStep = {
  /** Changes still to be written. */
  readonly last: readonly NewChange[]
  readonly row: MessageRow
}

export async function prepareRun(node: TurnAccess, parts: TurnInput): Promise<Run> {
  const { owner, turn } = parts
  const brief = await briefFor(node, owner, turn)
  const { model, maxMessages } = brief.speaker
  const [{ messages, archive, isWhole }, commands] = await Promise.all([
    historyOf(node, parts, { window: model.window, maxMessages }),
    readCommands(node, parts),
  ])
  const skills = brief.author === "" ? skillsOf(brief.speaker) : []
  const history = [...messages]
  const message = history.find(({ id }) => id === turn.message) ?? (await readMessage(node, parts, turn.message))
  const begun = { sends: 0, reply: undefined, resume: parts.resume, cut: parts.cut }
  const run: Run = { node, parts, brief, archive, history, isWhole, message, skills, commands, turn, ...begun }
  const agent = node.agents.get(owner.address.agent)
  if (agent !== undefined) await setCommands(run, synced(commands, lentCommands(node.toolsets, agent)))
  node.cache.keepCommands(owner.stream, owner.epoch, run.commands)
  return run
}

/** A resumed turn is read from the log; a new one starts from what this process has just written. */
async function historyOf(node: TurnAccess, { owner, recovered }: TurnInput, options: HistoryOptions): Promise<History> {
  const { stream } = owner
  if (recovered) return readHistory(node.store, stream, options)
  const cached = cachedHistory(node.cache.history(stream), options)
  if (cached !== undefined) return cached
  const read = await readHistory(node.store, stream, options)
  if (read.cacheable !== undefined) node.cache.keepHistory(stream, read.head, read.cacheable)
  return read
}

export async function readMessage(node: TurnAccess, parts: TurnInput, id: string): Promise<MessageRow | undefined> {
  const read = await node.store.log.read(parts.owner.stream, [{ collection: "messages", key: id }])
  const row = read?.lists[0]?.[0]
  return row === undefined ? undefined : parseRow("messages", row.value)
}

/** Adds missing contexts to a message, in one write or none. */
export async function addContexts(run: Run, message: MessageRow, contexts: readonly NewContext[]): Promise<void> {
  if (contexts.length === 0) return
  const added = newContexts(contexts, ofThisTurn(run))
  if (added.length === 0) return
  const row: MessageRow = { ...message, parts: [...message.parts, ...added] }
  await run.parts.write([{ collection: "messages", key: row.id, operation: "update", row }])
  remember(run, row)
}

/** What people and the handler have added to this turn so far. */
export function ofThisTurn({ history, message, turn }: Run): readonly MessageRow[] {
  const others = history.filter((one) => one.turn === turn.id && one.role === "person" && one.id !== message?.id)
  return message === undefined ? others : [message, ...others]
}

/** Puts a message in its place in the history: one that continues after a crash is already there, as it was then. */
export function remember(run: Run, row: MessageRow): void {
  const { history } = run
  if (row.id === run.message?.id) run.message = row
  const known = history.findIndex(({ id }) => id === row.id)
  if (known >= 0) history[known] = row
  else if (row.ord > (history.at(-1)?.ord ?? 0)) history.push(row)
}

/**
 * Takes the interrupted attempt out of the history, for the step that replaces it. Not if something was said after it.
 */
export function takeCut(run: Run): MessageRow | undefined {
  const { cut, history } = run
  run.cut = undefined
  if (cut === undefined || history.at(-1)?.id !== cut.id) return undefined
  history.pop()
  return cut
}

/** Writes only what differs (CMP-11). */
export async function setCommands(run: Run, after: Commands): Promise<boolean> {
  const changes = commandChanges(run.commands, after)
  run.commands = after
  if (changes.length === 0) return false
  const { stream, epoch } = run.parts.owner
  run.node.cache.keepCommands(stream, epoch, undefined)
  await run.parts.write(
    changes.map(({ operation, row }): NewChange => ({ collection: "slashCommands", key: row.name, operation, row })),
  )
  run.node.cache.keepCommands(stream, epoch, after)
  return true
}

/** A resumed turn reads the log here too: this process may not know what the first attempt wrote. */
async function readCommands(node: TurnAccess, { owner, recovered }: TurnInput): Promise<Commands> {
  const cached = recovered ? undefined : node.cache.commands(owner.stream, owner.epoch)
  if (cached !== undefined) return cached
  const rows = (await node.store.log.read(owner.stream, [{ collection: "slashCommands" }]))?.lists[0] ?? []
  return new Map(rows.map(({ key, value }) => [key, parseRow("slashCommands", value)]))
}

/** Nobody is at the keyboard: an ask is a no (TRN-13). */
export function isUnattended({ brief, message }: Run): boolean {
  const trigger = message?.trigger ?? null
  return trigger !== null && !(brief.speaker.asksWhenTriggered ?? false)
}

export function turnChange({ turn }: Run): NewChange {
  return { collection: "turns", key: turn.id, operation: "update", row: turn }
}
