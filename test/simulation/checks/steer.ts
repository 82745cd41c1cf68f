/** [TRN-9] A steering message joins the turn that is running, or becomes the next message; it is never lost or passed by. */
import type { MakeCheck } from "../check.ts"
import { startOf } from "./start-of.ts"

export const steer: MakeCheck = (it, wrong) => {
  /** Those that have the place they were given by themselves. */
  const plain = new Set<string>()
  return {
    commit(commit) {
      const start = startOf(it, commit)
      for (const { stored, event } of commit.entries) {
        if (event.type === "queue" && event.headers.operation === "update") plain.delete(event.key)
        if (event.type === "queue" && event.headers.operation === "insert" && isPlain(commit.append.txid))
          plain.add(event.key)
        if (event.type !== "messages" || event.value.role !== "person" || event.value.turn === null) continue
        if (event.key === start?.message) continue
        const row = it.rows.queue.get(event.key)
        if (row?.mode !== "steer") wrong("TRN-9", `${stored.seq}: ${event.key} joins a turn and was not to steer`)
        if (event.value.turn !== it.turn?.id) wrong("TRN-9", `${stored.seq}: ${event.key} joins ${event.value.turn}`)
      }
      if (start?.by !== "itself" || it.rows.queue.get(start.message)?.mode === "steer") return
      // Messages from triggers may pass people's messages that are held (QUE-21).
      const passes = it.status?.held?.only === "triggers"
      const waits = it.queue.filter((row) => row.mode === "steer" && (!passes || row.trigger !== null))
      const passed = waits.find((row) => plain.has(row.id))
      if (passed && plain.has(start.message))
        wrong("TRN-9", `${start.seq}: ${start.message} starts before ${passed.id}, which was to steer`)
    },
  }

  function isPlain(txid: string): boolean {
    const command = it.opBy.get(txid)?.command
    return command?.kind === "send" && command.position === undefined
  }
}
