/**
 * One turn, from what it is given to how it ended: the agent's own handler, or the standard turn (CMP-12).
 *
 * It never ends the turn itself: it says how it ended, and `drive.ts` writes that down with what comes next.
 */
import { Fault, type NewChange, type ProblemNote, Refusal, type TurnRow } from "@parlor/protocol"
import { Fenced } from "../log/decide.ts"
import { TooManyCalls } from "../model-call/permit.ts"
import type { Reply } from "../model-call/reply.ts"
import { ModelFault } from "../ports/model.ts"
import { textOf } from "../text/text-of.ts"
import { runCompaction } from "./compact.ts"
import { runHandler } from "./handle.ts"
import { TurnProblem } from "./problem.ts"
import type { TurnParts } from "./run.ts"
import { beginRun, type Run } from "./run.ts"
import { runSteps, saveStep } from "./standard-turn.ts"
import { StopAsked } from "./stop-asked.ts"
import type { TurnEnd } from "./turn.ts"
import type { TurnAccess } from "./turn-access.ts"

export type Finished = {
  readonly turn: TurnRow
  readonly end: TurnEnd
  /** Changes still to be written, together with the end. */
  readonly last: readonly NewChange[]
  readonly said: string
  /** A message that steers it now keeps it from ending (TRN-9). */
  readonly steerable: boolean
}

/** `finish` writes the end down. Undefined: a message steers the turn, so it goes on although the model has finished. */
export async function runTurn<T>(
  node: TurnAccess,
  parts: TurnParts,
  finish: (finished: Finished) => Promise<T | undefined>,
): Promise<{ readonly finished: Finished; readonly next: T }> {
  const begun: { run: Run | undefined } = { run: undefined }
  for (;;) {
    const finished = await toItsEnd(node, parts, begun)
    const next = await finish(finished)
    if (next !== undefined) return { finished, next }
    if (begun.run !== undefined) await saveStep(begun.run, finished.last)
  }
}

async function toItsEnd(node: TurnAccess, parts: TurnParts, begun: { run: Run | undefined }): Promise<Finished> {
  try {
    begun.run ??= await beginRun(node, parts)
    const said = await carryOut(begun.run)
    return { turn: begun.run.turn, end: { state: "done" }, ...said }
  } catch (error) {
    const { run } = begun
    return { turn: run?.turn ?? parts.turn, ...(await ended(node, error, parts.abort.signal, run?.reply)) }
  }
}

async function carryOut(run: Run): Promise<Pick<Finished, "last" | "said" | "steerable">> {
  if (run.turn.compaction !== null) {
    await runCompaction(run)
    return { last: [], said: "", steerable: false }
  }
  const { speaker, author } = run.brief
  // A guest comes with its words only: its code belongs to its own conversations.
  const isGuest = author !== ""
  if (speaker.handler !== undefined && !isGuest)
    return { last: [], said: await runHandler(run, speaker.handler), steerable: false }
  const { last, row } = await runSteps(run)
  return { last, said: textOf(row.parts), steerable: true }
}

/** How a turn that broke off ends. What was said is kept (TRN-5). */
async function ended(
  node: TurnAccess,
  error: unknown,
  signal: AbortSignal,
  reply: Reply | undefined,
): Promise<Omit<Finished, "turn">> {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof Fenced || cause instanceof Fault) throw cause
  const said = reply ? textOf(reply.parts) : ""
  if (cause instanceof StopAsked) {
    const last = (await reply?.seal("truncated")) ?? []
    return { end: { state: "stopped", onQueue: cause.onQueue, next: cause.next }, last, said, steerable: false }
  }
  const last = (await reply?.seal("failed")) ?? []
  return { end: { state: "failed", error: noteOf(node, cause) }, last, said, steerable: false }
}

function noteOf(node: TurnAccess, error: unknown): ProblemNote {
  if (error instanceof ModelFault) return { code: "model.failed", detail: error.message }
  if (error instanceof Refusal || error instanceof TurnProblem || error instanceof TooManyCalls)
    return { code: error.code, detail: error.message }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  node.log.error("turn failed", { reason })
  return { code: "bug", detail: "Something went wrong in Parlor while answering." }
}
