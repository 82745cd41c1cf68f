/** [TRN-9] A steering message joins the turn that is running, or becomes the next message; it is never lost or passed by. */
import type { MakeCheck } from "../check.ts"
import { startOf } from "./start-of.ts"

export const steer: MakeCheck = (it, wrong) => {
  const touched = new Set<string>()
  return {
    commit(commit) {
      const start = startOf(it, commit)
      for (const { stored, event } of commit.entries) {
        if (event.type === "queue" && event.headers.operation === "update") touched.add(event.key)
        if (event.type !== "messages" || event.value.role !== "person" || event.value.turn === null) continue
        if (event.key === start?.message) continue
        const row = it.rows.queue.get(event.key)
        if (row?.mode !== "steer") wrong("TRN-9", `${stored.seq}: ${event.key} joins a turn and was not to steer`)
        if (event.value.turn !== it.turn?.id) wrong("TRN-9", `${stored.seq}: ${event.key} joins ${event.value.turn}`)
      }
      if (start?.by !== "itself") return
      const passed = it.queue.find((row) => row.mode === "steer" && row.id !== start.message && !touched.has(row.id))
      const started = it.rows.queue.get(start.message)
      if (passed && started?.mode !== "steer" && !touched.has(start.message) && isPlain(start.message))
        wrong("TRN-9", `${start.seq}: ${start.message} starts before ${passed.id}, which was to steer`)
    },
  }

  /** No place of its own was asked for. */
  function isPlain(message: string): boolean {
    const sent = it.opsOf("send").find((op) => (op.answer as { message?: string } | undefined)?.message === message)
    return sent !== undefined && sent.command.position === undefined
  }
}
