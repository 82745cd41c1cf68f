/**
 * What a handler does through its context: one act after another, in the order they were called.
 *
 *   idle ──act──▶ acting ──none left──▶ idle ──too long──▶ the turn is broken off
 *     └──end()──▶ over: nothing more is done, however long the handler's code runs on
 *
 * While a streamed reply runs, its tools may act too: reading files, asking the person. Such an act is an aside: it
 * does not wait for the stream, which waits for it.
 *
 * A handler may forget to await an act, or swallow an error that must end the turn. So the end waits for every act, and
 * an error that must end the turn aborts it even if it is caught.
 */
import { Fault } from "@parlor/protocol"
import { Fenced } from "../log/decide.ts"
import type { Clock } from "../ports/clock.ts"
import { TurnProblem } from "./problem.ts"
import { StopAsked } from "./stop-asked.ts"

const MAX_ACTS = 1_000

export type Acts = {
  act<T>(work: () => Promise<T>): Promise<T>
  /** An act in which others may happen: asides. */
  stream<T>(work: () => Promise<T>): Promise<T>
  /** An act that may also happen during a stream. */
  aside<T>(work: () => Promise<T>): Promise<T>
  /** Whether an aside is under way. */
  isBusy(): boolean
  /** Resolves when nothing is in progress; rejects with an error that nobody could handle anymore. */
  end(): Promise<void>
}

export type ActsOptions = {
  readonly clock: Clock
  /** The turn's abort controller. */
  readonly abort: AbortController
  /** How long a handler may leave its turn idle. */
  readonly idleMs: number
}

export function beginActs({ clock, abort, idleMs }: ActsOptions): Acts {
  let before: Promise<unknown> = Promise.resolve()
  let beforeAside: Promise<unknown> | undefined
  let asides = 0
  let underWay = 0
  let count = 0
  let isOver = false
  let unheard: { readonly error: unknown } | undefined
  const watch = () => clock.after(idleMs, () => abort.abort(tookTooLong(idleMs)))
  let cancel = watch()

  const carryOut = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      abort.signal.throwIfAborted()
      return await work()
    } catch (error) {
      if (!abort.signal.aborted && endsTurn(error)) abort.abort(error)
      if (isOver) unheard ??= { error }
      throw error
    } finally {
      underWay -= 1
      if (underWay === 0 && !isOver) cancel = watch()
    }
  }

  const act = <T>(work: () => Promise<T>, after: Promise<unknown>): Promise<T> => {
    if (isOver) return rejected(new TurnProblem("turn.over", "The turn is over: nothing can be added to it."))
    count += 1
    if (count > MAX_ACTS)
      return rejected(new TurnProblem("handler.failed", `The handler made more than ${MAX_ACTS} calls in one turn.`))
    if (underWay === 0) cancel()
    underWay += 1
    return after.then(() => carryOut(work))
  }
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const acted = act(work, before)
    before = acted.catch(() => {})
    return acted
  }

  return {
    act: inOrder,
    stream: (work) =>
      inOrder(async () => {
        beforeAside = Promise.resolve()
        try {
          return await work()
        } finally {
          const last = beforeAside
          beforeAside = undefined
          await last
        }
      }),
    aside(work) {
      if (beforeAside === undefined) return inOrder(work)
      asides += 1
      const acted = act(work, beforeAside).finally(() => {
        asides -= 1
      })
      beforeAside = acted.catch(() => {})
      return acted
    },
    isBusy: () => asides > 0,
    async end() {
      isOver = true
      cancel()
      await before
      if (unheard !== undefined) throw unheard.error
    },
  }
}

/** Nobody may be awaiting it: that must not end the process. */
function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error)
  promise.catch(() => {})
  return promise
}

function endsTurn(error: unknown): boolean {
  return error instanceof Fenced || error instanceof Fault || error instanceof StopAsked
}

function tookTooLong(ms: number): TurnProblem {
  return new TurnProblem("handler.timeout", `The agent's handler did nothing for ${ms / 1_000} s and was stopped.`)
}
