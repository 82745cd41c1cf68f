/**
 * The steps of one turn, from its first model call to how it ended.
 *
 *   steer? ─▶ budget? ─▶ model ─▶ tools ─▶ saved ─┐        fault: retry after a while, then the fallback model
 *     ▲                                            │
 *     └──────────── more to do ◀──────────────────┴──▶ done
 *
 * It never ends the turn itself: it says how it ended, and `drive.ts` writes that down with what comes next.
 */
import {
  addUsage,
  emptyUsage,
  Fault,
  type MessageRow,
  type NewChange,
  type ProblemNote,
  Refusal,
  type TurnRow,
} from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { textOf } from "../context/context.ts"
import { knownHistory, readHistory } from "../context/history.ts"
import { Fenced } from "../conversation/decide.ts"
import type { Node } from "../node.ts"
import { ModelFault } from "../ports/model.ts"
import { ask } from "./ask.ts"
import { keepWithinBudget } from "./budget.ts"
import type { Drive } from "./owned.ts"
import type { Reply } from "./reply.ts"
import { takeSteering } from "./steer.ts"
import { StopAsked } from "./stop-asked.ts"
import { runTools } from "./tools.ts"
import { tryModel } from "./try-model.ts"
import type { TurnEnd } from "./turn.ts"
import { replyFrom, type TurnParts } from "./turn-parts.ts"

const MAX_STEPS = 64

export type Finished = {
  readonly turn: TurnRow
  readonly end: TurnEnd
  /** Changes still to be written, together with the end. */
  readonly last: readonly NewChange[]
  readonly said: string
}

/** The turn as far as it has come, for when it breaks off or goes on. */
type Progress = {
  turn: TurnRow
  reply: Reply | undefined
  history: MessageRow[] | undefined
  resume: MessageRow | undefined
}

/** `finish` writes the end down. Undefined: a message steers the turn, so it goes on although the model has finished. */
export async function runTurn<T>(
  node: Node,
  parts: TurnParts,
  finish: (finished: Finished) => Promise<T | undefined>,
): Promise<{ readonly finished: Finished; readonly next: T }> {
  const progress: Progress = { turn: parts.turn, reply: undefined, history: undefined, resume: parts.resume }
  for (;;) {
    const finished = await toItsEnd(node, parts, progress)
    const next = await finish(finished)
    if (next !== undefined) return { finished, next }
    await goOn(parts, progress, finished.last)
  }
}

async function toItsEnd(node: Node, parts: TurnParts, progress: Progress): Promise<Finished> {
  try {
    return await runSteps(node, parts, progress)
  } catch (error) {
    return { turn: progress.turn, ...(await ended(node, error, parts.abort.signal, progress.reply)) }
  }
}

async function runSteps(node: Node, parts: TurnParts, progress: Progress): Promise<Finished> {
  const { drive, abort } = parts
  const { signal } = abort
  const agent = parts.agent()
  progress.history ??= [...(await historyOf(node, drive, agent, parts.resume !== undefined))]
  const { history } = progress
  const unattended = isUnattended(agent, history, parts.turn)
  while (progress.turn.steps < MAX_STEPS) {
    const { resume } = progress
    let usage = resume?.usage ?? null
    if (resume !== undefined) progress.reply = replyFrom(parts, resume)
    else {
      if (progress.turn.steps > 0) history.push(...(await takeSteering(node, drive)))
      await keepWithinBudget(node, drive, progress.turn, agent, signal)
      usage = await tryModel(node, { ...parts, turn: progress.turn }, agent, history, (reply) => {
        progress.reply = reply
      })
    }
    const reply = progress.reply as Reply
    reply.usage = usage
    const calledTools = await runTools({
      agent,
      turn: progress.turn,
      reply,
      signal,
      clock: node.clock,
      unattended,
      ask: (asked) => ask(node, drive, progress.turn, asked, signal),
    })
    if (signal.aborted) throw signal.reason
    const last = await reply.seal("done")
    if (signal.aborted) throw signal.reason
    const row = reply.row("done")
    progress.turn = {
      ...progress.turn,
      steps: progress.turn.steps + 1,
      usage: addUsage(progress.turn.usage, usage ?? emptyUsage),
    }
    progress.resume = undefined
    remember(history, row)
    if (!calledTools) return { turn: progress.turn, end: { state: "done" }, last, said: textOf(row.parts) }
    await goOn(parts, progress, last)
  }
  return { turn: progress.turn, end: { state: "failed", error: tooManySteps() }, last: [], said: "" }
}

async function historyOf(node: Node, drive: Drive, agent: Agent, resumed: boolean): Promise<readonly MessageRow[]> {
  const { window } = agent.model
  const known = resumed ? undefined : knownHistory(node.known.history(drive.stream), window)
  return known ?? readHistory(node.store, drive.stream, window, resumed)
}

/** The step is saved before the next begins (TRN-6). */
async function goOn(parts: TurnParts, progress: Progress, last: readonly NewChange[]): Promise<void> {
  const { turn } = progress
  await parts.write([...last, { collection: "turns", key: turn.id, operation: "update", row: turn }])
  progress.reply = undefined
}

/** A step resumed after a crash is in the history already, as it was then. */
function remember(history: MessageRow[], row: MessageRow): void {
  const known = history.findIndex((message) => message.id === row.id)
  if (known < 0) history.push(row)
  else history[known] = row
}

/** How a turn that broke off ends. What was said is kept (TRN-5). */
async function ended(
  node: Node,
  error: unknown,
  signal: AbortSignal,
  reply: Reply | undefined,
): Promise<Omit<Finished, "turn">> {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof Fenced || cause instanceof Fault) throw cause
  const said = reply ? textOf(reply.parts) : ""
  if (cause instanceof StopAsked) {
    const last = (await reply?.seal("truncated")) ?? []
    return { end: { state: "stopped", onQueue: cause.onQueue, next: cause.next }, last, said }
  }
  const last = (await reply?.seal("failed")) ?? []
  return { end: { state: "failed", error: noteOf(node, cause) }, last, said }
}

function isUnattended(agent: Agent, history: readonly MessageRow[], turn: TurnRow): boolean {
  const trigger = history.findLast((message) => message.id === turn.message)?.trigger ?? null
  return trigger !== null && !(agent.asksWhenTriggered ?? false)
}

function noteOf(node: Node, error: unknown): ProblemNote {
  if (error instanceof ModelFault) return { code: "model.failed", detail: error.message }
  if (error instanceof Refusal) return { code: error.code, detail: error.message }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  node.log.error("turn failed", { reason })
  return { code: "bug", detail: "Something went wrong in Parlor while answering." }
}

function tooManySteps(): ProblemNote {
  return { code: "turn.too-many-steps", detail: `The agent took ${MAX_STEPS} steps without finishing and was stopped.` }
}
