/**
 * [TRN-6, TRN-7, TRN-13] That a tool began is in the log before it does anything; one that may not be repeated runs once;
 * one that needs leave has got it, for this very call.
 */
import type { ToolPart } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import { REPEATABLE } from "../sim-tools.ts"

export const tools: MakeCheck = (it, wrong) => {
  const runs = new Map<number, number>()
  const used = new Set<string>()
  return {
    ran({ tool, token, process }) {
      const count = (runs.get(token) ?? 0) + 1
      runs.set(token, count)
      if (count > 1 && !REPEATABLE.has(tool)) wrong("TRN-7", `${tool} ${token} ran ${count} times`)
      if (it.owner !== process) return
      const found = partOf(token)
      if (found?.part.state !== "started")
        wrong("TRN-6", `${tool} ${token} runs and is ${found?.part.state} in the log`)
      if (tool !== "guarded" || found === undefined) return
      const ask = [...it.rows.asks.values()].find((row) => row.call === found.part.call && row.turn === found.turn)
      const leave = [...it.rows.asks.values()].filter(
        (row) => row.turn === found.turn && row.kind === "approval" && row.answer === true && !used.has(row.id),
      )
      const own = leave.find((row) => row.detail.includes(String(token)))
      if (own === undefined) wrong("TRN-13", `${tool} ${token} runs without leave (${ask?.id} is ${ask?.state})`)
      else used.add(own.id)
    },
  }

  function partOf(token: number): { readonly part: ToolPart; readonly turn: string | null } | undefined {
    for (const row of [...it.rows.messages.values()].reverse())
      for (const part of row.parts)
        if (part.type === "tool" && (part.input as { n?: number } | null)?.n === token) return { part, turn: row.turn }
    return undefined
  }
}
