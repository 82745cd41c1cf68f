/** Sets up the triggers that the config declares, at the start and after each change of the config (TRG-11). */
import { type DeclaredTriggers, type Log, type Runtime, reasonFields } from "@parlor/core"

const RETRY_MS = 5_000

/** One state of the config after another. While the store is down, only the newest state is tried again. */
export function declaring(
  runtime: Pick<Runtime, "reconcileTriggers" | "isDraining">,
  log: Log,
): (declared: DeclaredTriggers) => Promise<void> {
  let wanted: DeclaredTriggers | undefined
  let running = Promise.resolve()
  const work = async (): Promise<void> => {
    const declared = wanted
    if (declared === undefined || runtime.isDraining) return
    try {
      const done = await runtime.reconcileTriggers(declared)
      if (wanted === declared) wanted = undefined
      if (done.created + done.changed + done.removed > 0) log.info("declared triggers set up", done)
    } catch (error) {
      log.warn("declared triggers are not set up yet", reasonFields(error))
      setTimeout(next, RETRY_MS).unref()
    }
  }
  const next = (): Promise<void> => {
    running = running.then(work)
    return running
  }
  return (declared) => {
    wanted = declared
    return next()
  }
}
