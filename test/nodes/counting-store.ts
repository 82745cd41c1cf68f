/** A real store that counts the writes it refused to a replaced owner, and that can be cut off as a stopped process is. */
import type { Append, Appended, Store } from "@parlor/core"
import { type Gate, gate } from "@parlor/core/testing"
import { Fault } from "@parlor/protocol"
import { type AnyCall, type StoreCall, wrapStore } from "../support/store-calls.ts"

export type CountingStore = {
  readonly store: Store
  /** Writes refused because another node owns the conversation. */
  readonly fenced: number
  /** The requests whose changes were written by this node. */
  readonly written: ReadonlySet<string>
  /** Nothing is asked of the database any more until `thaw`. What was under way is answered then. */
  freeze(): void
  /** What is asked of the database is carried out, and answered only with `thaw`. */
  holdAnswers(): void
  thaw(): void
  /** Reading fails, as it does while the database is away. */
  failReads(fails: boolean): void
}

const READS: ReadonlySet<StoreCall> = new Set(["log.read", "log.find", "log.events"])
const LOCAL: ReadonlySet<StoreCall> = new Set(["watch", "offer", "close"])

export function countingStore(real: Store): CountingStore {
  const written = new Set<string>()
  let fenced = 0
  let frozen: Gate | undefined
  let held: Gate | undefined
  let readsFail = false

  async function commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    const answers = await real.log.commit(batch)
    for (const [i, answer] of answers.entries()) {
      if (!answer.ok && answer.why === "fenced") fenced += 1
      const append = batch[i]
      if (answer.ok && !answer.skipped && append && append.changes.length > 0) written.add(append.txid)
    }
    return answers
  }

  const store = wrapStore(real, (name, real) => {
    if (LOCAL.has(name)) return real
    const call = name === "log.commit" ? (commit as AnyCall) : real
    return async (...args) => {
      await frozen?.opened
      if (readsFail && READS.has(name)) throw new Fault("The store is away, says the test.")
      const answer = await call(...args)
      await (frozen ?? held)?.opened
      return answer
    }
  })

  return {
    store,
    written,
    get fenced() {
      return fenced
    },
    freeze() {
      frozen = gate()
    },
    holdAnswers() {
      held = gate()
    },
    thaw() {
      frozen?.open()
      held?.open()
      frozen = undefined
      held = undefined
    },
    failReads(fails) {
      readsFail = fails
    },
  }
}
