/** [TRN-1, TRN-7] Whoever was replaced writes nothing more, and epochs only rise: fencing is the store's work. */
import type { MakeCheck } from "../check.ts"

export const owner: MakeCheck = (it, wrong) => ({
  commit({ process, append, epoch }) {
    if (append.lease?.kind === "claim" && epoch <= it.epoch)
      wrong("TRN-1", `${process.name} claims and the epoch is still ${epoch}`)
    if (append.batch === undefined || append.lease?.kind === "claim") return
    if (it.owner !== process) wrong("TRN-7", `${process.name} writes as owner; that is ${it.owner?.name}`)
  },
})
