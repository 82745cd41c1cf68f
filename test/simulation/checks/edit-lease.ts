/** [QUE-8] A message that someone has open for editing does not start under their hands, nor join a turn. */
import type { MakeCheck } from "../check.ts"
import { startOf } from "./start-of.ts"

export const editLease: MakeCheck = (it, wrong) => ({
  commit(commit) {
    const start = startOf(it, commit)
    for (const { stored, event } of commit.entries) {
      if (event.type !== "messages" || event.value.role !== "person") continue
      const row = it.rows.queue.get(event.key)
      if (row?.lease == null || row.lease.until <= commit.append.at) continue
      if (start?.message === event.key && start.by !== "itself") continue
      const left = row.lease.until - commit.append.at
      wrong("QUE-8", `${stored.seq}: ${event.key} starts while ${row.lease.holder} has it open for ${left} ms more`)
    }
  },
})
