/** [TRN-1, TRN-7] An owner that was replaced writes nothing more, and epochs only increase: the store fences it. */
import type { MakeCheck } from "../check.ts"

export const owner: MakeCheck = (it, wrong) => ({
  commit({ process, append, epoch }) {
    if (append.lease?.kind === "claim" && epoch <= it.epoch)
      wrong("TRN-1", `${process.name} claims and the epoch is still ${epoch}`)
    if (append.batch === undefined || append.lease?.kind === "claim") return
    // What a process left in the spool is written by the next one on that machine.
    if (it.owner?.machine !== process.machine)
      wrong("TRN-7", `${process.name} writes as owner; that is ${it.owner?.name}`)
  },
})
