/**
 * Watches what is committed: the only place through which every turn, model call and queue change of a process passes. What
 * is derived here is derived from the log, so it is the same after a crash (OPS-10, OPS-13).
 */
import type { Append, Appended, Log, Spool, Store } from "@parlor/core"
import { type FeedRow, parseRow, type StreamId, type TurnRow } from "@parlor/protocol"
import type { Metrics } from "./metrics.ts"

type TurnListener = (stream: StreamId, turn: TurnRow) => void

export type Watching = {
  readonly metrics: Metrics
  readonly log: Log
  /** Called with each turn that has ended. */
  readonly onEnded?: TurnListener
}

/** The same store; its commits are watched. */
export function watchStore(store: Store, watching: Watching): Store {
  const { metrics } = watching
  const seen = new SeenCalls()
  const commit: Store["log"]["commit"] = async (appends) => {
    const started = performance.now()
    let answers: readonly Appended[]
    try {
      answers = await store.log.commit(appends)
    } catch (error) {
      metrics.commitFailed()
      throw error
    }
    metrics.committed(performance.now() - started)
    for (const [index, append] of appends.entries()) {
      const answer = answers[index]
      if (answer?.ok && !answer.skipped) look(append, watching, seen)
    }
    return answers
  }
  return withMember(store, "log", withMember(store.log, "commit", commit))
}

/** The same spool; its batches are counted. */
export function watchSpool(spool: Spool, metrics: Metrics): Spool {
  let waiting = 0
  const note = (count: number) => {
    waiting = count
    metrics.spooled(waiting)
  }
  return {
    async add(batch) {
      await spool.add(batch)
      note(waiting + batch.length)
    },
    async read() {
      const batches = await spool.read()
      note(batches.length)
      return batches
    },
    async clear() {
      await spool.clear()
      note(0)
    },
  }
}

function look({ stream, changes, feed }: Append, watching: Watching, seen: SeenCalls): void {
  for (const { collection, operation, value } of changes) {
    if (collection !== "turns" || operation === "delete" || value === null) continue
    const turn = parseRow("turns", value)
    if (operation === "insert") watching.metrics.turnStarted(turn)
    lookAtCalls(turn, watching, seen)
    if (turn.endedAt !== null) ended(stream, turn, watching, seen)
  }
  for (const { collection, value } of feed?.changes ?? [])
    if (collection === "conversations" && value !== null) watching.metrics.queued(stream, queuedIn(value))
}

/** Most rows have no such field, because nothing is queued (LOG-2): they are not parsed. */
function queuedIn(value: string): number {
  return value.includes('"queued":') ? (parseRow("conversations", value) as FeedRow).queued : 0
}

function lookAtCalls(turn: TurnRow, { metrics }: Watching, seen: SeenCalls): void {
  const { step } = turn
  if (step === null) return
  const known = seen.countOf(turn.id, step.number)
  const over = step.attempts.filter(({ endedAt }) => endedAt !== null)
  for (const attempt of over.slice(known)) metrics.modelCalled(turn.guest ?? turn.agent, attempt)
  seen.note(turn.id, step.number, over.length)
}

/** A failed turn leaves one line, with its reason and without anybody's text (OPS-12). */
function ended(stream: StreamId, turn: TurnRow, { metrics, log, onEnded }: Watching, seen: SeenCalls): void {
  seen.forget(turn.id)
  metrics.turnEnded(turn)
  if (turn.state === "failed") {
    const { agent, id, steps, error, startedAt, endedAt } = turn
    const fields = {
      agent,
      turn: id,
      conversation: stream,
      code: error?.code,
      reason: error?.detail.slice(0, REASON_CHARS),
    }
    log.warn("turn failed", { ...fields, steps, ms: (endedAt ?? startedAt) - startedAt })
  }
  onEnded?.(stream, turn)
}

const REASON_CHARS = 300
const MAX_TURNS = 10_000

/** How many attempts of each running turn's newest step were counted: a step is written again when the turn ends. */
class SeenCalls {
  readonly #counts = new Map<string, { readonly step: number; readonly attempts: number }>()

  countOf(turn: string, step: number): number {
    const known = this.#counts.get(turn)
    if (known === undefined || known.step < step) return 0
    return known.step === step ? known.attempts : Number.POSITIVE_INFINITY
  }

  note(turn: string, step: number, attempts: number): void {
    if (this.#counts.size >= MAX_TURNS && !this.#counts.has(turn)) this.#counts.clear()
    const known = this.#counts.get(turn)
    if (known === undefined || known.step <= step) this.#counts.set(turn, { step, attempts })
  }

  forget(turn: string): void {
    this.#counts.delete(turn)
  }
}

/** Stores are classes: everything else stays as it is. */
function withMember<T extends object, K extends keyof T>(whole: T, name: K, member: T[K]): T {
  return new Proxy(whole, {
    get(target, key) {
      if (key === name) return member
      const value = Reflect.get(target, key, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
