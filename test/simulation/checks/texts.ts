/**
 * [TRN-5, LOG-10] What is kept of a reply is what was seen of it, to the letter; and a whole one is all that was said.
 * [TRN-18] A reply that was cut off is replaced in its row, so that its turn says nothing beside it.
 */
import type { MessageRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"

export const texts: MakeCheck = (_it, wrong, facts) => {
  /** By message, then by part. */
  const streamed = new Map<string, Map<number, { text: string; pieces: number }>>()
  /** By turn, the reply that was cut off. */
  const cut = new Map<string, string>()
  return {
    commit({ entries }) {
      for (const { stored, event } of entries) {
        if (event.type === "messages" && event.value.role === "agent") takeCut(event.value, stored.seq)
        if (event.type === "deltas") {
          const { message, part, n, text } = event.value
          const parts = streamed.get(message) ?? new Map<number, { text: string; pieces: number }>()
          streamed.set(message, parts)
          const known = parts.get(part) ?? { text: "", pieces: 0 }
          if (n !== known.pieces)
            wrong("LOG-10", `${stored.seq}: piece ${n} of ${message}/${part}, not ${known.pieces}`)
          parts.set(part, { text: known.text + text, pieces: known.pieces + 1 })
        }
        if (event.type !== "messages" || event.value.role !== "agent" || event.value.parts.length === 0) continue
        for (const [part, { text }] of streamed.get(event.key) ?? [])
          if (textAt(event.value, part) !== text)
            wrong("TRN-5", `${stored.seq}: ${event.key} was seen as "${text}" and is "${textAt(event.value, part)}"`)
        checkSaid(event.value, stored.seq)
      }
    },
  }

  function takeCut({ id, turn, state }: MessageRow, seq: number): void {
    if (turn === null) return
    const left = cut.get(turn)
    if (left === id && state === "streaming") streamed.delete(id)
    else if (left !== undefined && left !== id)
      wrong("TRN-18", `${seq}: ${id} is said beside ${left}, which was cut off`)
    if (state === "truncated") cut.set(turn, id)
    else cut.delete(turn)
  }

  function checkSaid(row: MessageRow, seq: number): void {
    const text = joined(row, "text")
    const number = /#(\d+)/.exec(text || joined(row, "reasoning"))?.[1]
    const call = number === undefined ? undefined : facts.callNumbered(Number(number))
    if (call === undefined) return
    if (row.state === "done" && text !== call.text)
      wrong("TRN-5", `${seq}: the model said "${call.text}", ${row.id} is "${text}"`)
    if (!call.text.startsWith(text) || !call.reasoning.startsWith(joined(row, "reasoning")))
      wrong("TRN-5", `${seq}: ${row.id} is "${text}", the model said "${call.text}"`)
  }
}

function textAt(message: MessageRow, index: number): string | undefined {
  const part = message.parts[index]
  return part?.type === "text" || part?.type === "reasoning" ? part.text : undefined
}

function joined(message: MessageRow, type: "text" | "reasoning"): string {
  return message.parts.map((part) => (part.type === type ? part.text : "")).join("")
}
