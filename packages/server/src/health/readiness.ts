/**
 * Whether this server can serve (SEC-16): the store answers and has this version's schema, what was left over from before
 * was taken up, and whatever else the server was told to check.
 *
 * Anybody may ask, so checks run at most once a second, whoever asks.
 */
import type { Clock, Runtime, Store } from "@parlor/core"

/** `check` answers with what is wrong, in a few words that give nothing away; undefined when nothing is. */
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

/** What a driver says names hosts and users: only that it failed is told. */
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
      if (!isMigrated) return "its schema is not this version's"
      return runtime.storeIsDown ? "writes fail" : undefined
    },
  }
}

function startCheck({ runtime }: Pick<ReadinessParts, "runtime">): ReadinessCheck {
  return { name: "start", check: async () => (runtime.hasStarted ? undefined : "starting") }
}

/** A server that is about to stop still answers, and takes no more (LOG-32). */
export function drainCheck(isDraining: () => boolean): ReadinessCheck {
  return { name: "drain", check: async () => (isDraining() ? "stopping" : undefined) }
}
