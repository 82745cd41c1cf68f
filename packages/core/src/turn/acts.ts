/**
 * What a handler does through its context: one act after another, in the order they were called.
 *
 *   idle ──act──▶ acting ──none left──▶ idle ──too long──▶ the turn is broken off
 *     └──end()──▶ over: nothing more is done, however long the handler's code runs on
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

  return {
    act(work) {
      if (isOver) return rejected(new TurnProblem("turn.over", "The turn is over: nothing can be added to it."))
      count += 1
      if (count > MAX_ACTS)
        return rejected(new TurnProblem("handler.failed", `The handler made more than ${MAX_ACTS} calls in one turn.`))
      if (underWay === 0) cancel()
      underWay += 1
      const acted = before.then(() => carryOut(work))
      before = acted.catch(() => {})
      return acted
    },
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
