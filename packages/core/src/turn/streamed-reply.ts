/**
 * A reply whose content comes from a stream of the agent's own code (COD-1).
 *
 *   part ──▶ text, reasoning ──▶ deltas ─────────────┐
 *        ├─▶ tool call, result ──▶ saved at once ────┼──▶ a step begins ──▶ message done, the next one
 *        ├─▶ usage ──▶ message, turn, ledger         │
 *        └─▶ error ──▶ message failed                └──▶ the stream ends ──▶ message done, noted in the turn's row
 *
 * A step is a message, as in the standard turn, so that every tool call is followed by its results. After a crash the
 * handler runs again: a stream that had ended is not started again, and an interrupted one is. Its text is replaced by
 * the new text, unless it called tools: then it stays, truncated, and the new attempt follows it.
 *
 * Never: a tool of the stream is run by Parlor, or the iterator awaited after a stop.
 */
import type { MessageId, MessageRow } from "@parlor/protocol"
import type { Ran } from "../agent/handler.ts"
import type { ReplyInput, ReplyPart, ReplyStream } from "../agent/reply-stream.ts"
import { orAborted } from "../model-call/or-aborted.ts"
import { settleTools } from "../model-call/settle-tools.ts"
import { watchStall } from "../model-call/stall.ts"
import { textOf } from "../text/text-of.ts"
import { keepWithinBudget } from "./budget.ts"
import { keepWithinDay } from "./day-budget.ts"
import { TurnProblem } from "./problem.ts"
import { type Run, readMessage, remember } from "./run.ts"
import { streamEvent } from "./stream-part.ts"
import { MAX_MESSAGES, messageId, StreamRecord } from "./stream-record.ts"

/** A stream that never waits must not starve the process: after so many parts, what was said is written. */
const PARTS_AT_ONCE = 256

export type Streaming = {
  /** From 1: which reply of the handler it is. */
  readonly number: number
  /** How long it may be silent. */
  readonly idleMs: number
  /** Whether the handler waits for something else, such as a person: then silence is not counted. */
  readonly isBusy: () => boolean
}

export async function replyStreamed(run: Run, given: Exclude<ReplyInput, string>, it: Streaming): Promise<Ran> {
  const { node, parts } = run
  const base = replyId(run, it.number)
  const ended = run.turn.streams?.find((id) => isOf(base, id))
  if (ended !== undefined) return { message: ended, text: textOf((await readMessage(node, parts, ended))?.parts ?? []) }
  const interrupted = parts.recovered ? await interruptedAt(run, base) : []
  await keepWithinBudget(run)
  await keepWithinDay(run)
  const { signal } = parts.abort
  const source = typeof given === "function" ? await orAborted(signal, started(given, signal, interrupted)) : given
  const recorder = new StreamRecord(run, base, interrupted)
  try {
    await consume(run, iterableOf(source), recorder, it)
    return await recorder.end()
  } catch (error) {
    if (!signal.aborted) await recorder.breakOff()
    throw error
  }
}

export function replyId(run: Run, number: number): MessageId {
  return `${run.turn.id.replace(/^trn/, "msg")}.${number}` as MessageId
}

/** Takes what an interrupted stream left out of the way of the standard turn, which would continue it. */
export async function settleInterrupted(run: Run): Promise<void> {
  const isStreamed = (row: MessageRow | undefined) => row?.id.startsWith(`${run.turn.id.replace(/^trn/, "msg")}.`)
  if (isStreamed(run.cut)) run.cut = undefined
  const { resume } = run
  if (resume === undefined || !isStreamed(resume)) return
  run.resume = undefined
  const row: MessageRow = { ...resume, state: "truncated", parts: settleTools(resume.parts) }
  await run.parts.write([{ collection: "messages", key: row.id, operation: "update", row }])
  remember(run, row)
}

async function started(
  start: Extract<ReplyInput, (...args: never[]) => unknown>,
  signal: AbortSignal,
  interrupted: readonly MessageRow[],
): Promise<ReplyStream> {
  return start({ signal, interrupted })
}

function iterableOf(source: unknown): AsyncIterable<ReplyPart> {
  const given = isObject(source) && "fullStream" in source ? source.fullStream : source
  if (isObject(given) && Symbol.asyncIterator in given) return given as AsyncIterable<ReplyPart>
  throw new TurnProblem("handler.failed", "ctx.reply takes a text, an async iterable, or a function that returns one.")
}

function isObject(value: unknown): value is object & { readonly fullStream?: unknown } {
  return typeof value === "object" && value !== null
}

async function interruptedAt(run: Run, base: MessageId): Promise<readonly MessageRow[]> {
  const rows: MessageRow[] = []
  for (let n = 1; n <= MAX_MESSAGES; n++) {
    const row = await readMessage(run.node, run.parts, messageId(base, n))
    if (row === undefined) break
    rows.push(row)
  }
  return rows
}

function isOf(base: MessageId, id: MessageId): boolean {
  return id === base || id.startsWith(`${base}.`)
}

async function consume(
  run: Run,
  stream: AsyncIterable<ReplyPart>,
  recorder: StreamRecord,
  { idleMs, isBusy }: Streaming,
): Promise<void> {
  const { clock } = run.node
  const { abort } = run.parts
  let heardAt = clock.now()
  const lastAt = () => {
    if (isBusy()) heardAt = clock.now()
    return heardAt
  }
  const silent = new TurnProblem("handler.timeout", `The stream of the reply was silent for ${idleMs / 1_000} s.`)
  const cancel = watchStall(clock, idleMs, lastAt, () => abort.abort(silent))
  const iterator = stream[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (let parts = 1; ; parts++) {
      const next = await orAborted(abort.signal, iterator.next())
      isOver = next.done === true
      if (isOver) return
      heardAt = clock.now()
      const event = streamEvent(next.value)
      if (event !== undefined) await recorder.take(event)
      if (parts % PARTS_AT_ONCE === 0) await recorder.written()
    }
  } finally {
    cancel()
    // It may be waiting for its next part, or ignore this: a stop does not wait for it.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
