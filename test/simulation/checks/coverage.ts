/** [CPT-12] What a model is not shown is in an archive, and an archive is made from all that it covers. */
import { uncovered, unescapeTags } from "@parlor/core/testing"
import type { MessageRow, StepNote } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"

export const coverage: MakeCheck = (it, wrong) => {
  let summed = ""
  let seen: StepNote | null = null
  return {
    summed({ request }) {
      for (const message of request.messages) if (message.role === "person") summed += `${unescapeTags(message.text)}\n`
    },
    folded({ entries }) {
      for (const { stored, event } of entries) {
        if (event.type === "archives" && event.headers.operation === "insert")
          for (const row of said(it.rows.messages.values()))
            if (row.ord >= event.value.fromOrd && row.ord <= event.value.toOrd && !summed.includes(textOf(row)))
              wrong("CPT-12", `${stored.seq}: ${row.id} is in ${event.key} and was not summed up`)
        if (event.type !== "turns" || event.value.step === null || event.value.step === seen) continue
        seen = event.value.step
        const missing = uncovered(seen, said(it.rows.messages.values()), [...it.rows.archives.values()])
        if (missing.length > 0)
          wrong("CPT-12", `${stored.seq}: step of ${event.key} is not told of ${missing.join(", ")}`)
      }
    },
  }
}

function said(messages: Iterable<MessageRow>): readonly MessageRow[] {
  return [...messages].filter(({ state }) => state !== "failed")
}

/** Of a long message the model that sums up may be given a part, its beginning always. */
const BEGINNING = 60

function textOf({ parts }: MessageRow): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return text.slice(0, BEGINNING)
}
