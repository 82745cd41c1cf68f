/** A real store whose commits fail on demand. */
import type { Append, Store } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { type AnyCall, type StoreCall, wrapStore } from "../support/store-calls.ts"

/**
 * - `refused`: nothing is written.
 * - `unclear`: it is written, but the response is lost.
 */
type Failure = "refused" | "unclear"

export type FailingStore = {
  readonly store: Store
  /** The number of commits requested, including failed ones. */
  readonly commits: (readonly Append[])[]
  /** Commits in flight. */
  readonly pending: number
  fail(how: Failure | undefined, options?: { readonly reads?: boolean }): void
}

const READS: ReadonlySet<StoreCall> = new Set(["log.find", "log.read", "log.events", "log.orphans"])

export function failingStore(real: Store): FailingStore {
  const commits: (readonly Append[])[] = []
  let failure: Failure | undefined
  let readsFail = false
  let pending = 0
  const down = () => Promise.reject(new Fault("The store is down, says the test."))
  const store = wrapStore(real, (name, call) => {
    if (name === "log.commit") return commit as AnyCall
    return readsFail && READS.has(name) ? down : call
  })

  async function commit(batch: readonly Append[]) {
    commits.push(batch)
    if (failure === "refused") return down()
    const how = failure
    pending += 1
    try {
      const answers = await real.log.commit(batch)
      return how === "unclear" ? await down() : answers
    } finally {
      pending -= 1
    }
  }

  return {
    store,
    commits,
    get pending() {
      return pending
    },
    fail(how, options = {}) {
      failure = how
      readsFail = how !== undefined && options.reads === true
    },
  }
}
