/**
 * Readiness (SEC-16): the store responds and has this version's schema, interrupted work was recovered, and all
 * additional checks pass.
 *
 * Anybody may call it, so checks run at most once per second in total.
 */
import type { Clock, Runtime, Store } from "@parlor/core"

/** `check` returns what is wrong, without revealing internals; undefined if it passes. */
export type ReadinessCheck = { readonly name: string; check(): Promise<string | undefined> }

/** The checks that failed, by name, with what is wrong. */
type Failed = readonly { readonly name: string; readonly why: string }[]

export type Readiness = () => Promise<Failed>

export type ReadinessParts = {
  readonly runtime: Pick<Runtime, "storeIsDown" | "hasStarted">
  readonly store: Pick<Store, "probe">
  readonly clock: Clock
  readonly checks: readonly ReadinessCheck[]
}

const PROBE_MS = 2_000
const FRESH_MS = 1_000

export function createReadiness(parts: ReadinessParts): Readiness {
  const checks = [storeCheck(parts), startCheck(parts), ...parts.checks]
  let running: Promise<Failed> | undefined
  let known: { readonly failed: Failed; readonly until: number } | undefined
  return async () => {
    if (known !== undefined && parts.clock.now() < known.until) return known.failed
    running ??= runAll(parts.clock, checks).finally(() => {
      running = undefined
    })
    const failed = await running
    known = { failed, until: parts.clock.now() + FRESH_MS }
    return failed
  }
}

async function runAll(clock: Clock, checks: readonly ReadinessCheck[]): Promise<Failed> {
  const found = await Promise.all(checks.map(async ({ name, check }) => ({ name, why: await outcome(clock, check) })))
  return found.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }]))
}

/** A driver's error may name hosts and users, so it is not shown. */
function outcome(clock: Clock, check: ReadinessCheck["check"]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(PROBE_MS, () => resolve(`no answer within ${PROBE_MS} ms`))
    const settle = (why: string | undefined) => {
      cancel()
      resolve(why)
    }
    check().then(settle, () => settle("failed"))
  })
}

function storeCheck({ store, runtime }: Pick<ReadinessParts, "store" | "runtime">): ReadinessCheck {
  return {
    name: "store",
    check: async () => {
      const { isMigrated } = await store.probe()
      if (!isMigrated) return "the schema is of another version"
      return runtime.storeIsDown ? "writes fail" : undefined
    },
  }
}

function startCheck({ runtime }: Pick<ReadinessParts, "runtime">): ReadinessCheck {
  return { name: "start", check: async () => (runtime.hasStarted ? undefined : "starting") }
}

/** A server that is about to stop still responds, but is not ready (LOG-32). */
export function drainCheck(isDraining: () => boolean): ReadinessCheck {
  return { name: "drain", check: async () => (isDraining() ? "stopping" : undefined) }
}
