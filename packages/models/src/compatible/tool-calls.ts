/** Assembles tool calls from their deltas: by index, or by order if a server omits the index. */
import { inputOrEmpty, type ToolEvent } from "../ending.ts"
import { brokenStreamFault } from "../faults.ts"
import type { ChatToolDelta } from "./wire.ts"

export type ToolCalls = {
  take(delta: unknown): void
  complete(): readonly ToolEvent[]
}

type PartialCall = { id: string; name: string; input: string }

const maxCalls = 128
const maxInputChars = 8_000_000

export function toolCalls(newCallId: () => string): ToolCalls {
  const calls = new Map<number, PartialCall>()
  let last = -1

  function callFor(delta: ChatToolDelta): PartialCall {
    const starts = typeof delta.id === "string" && delta.id !== "" && calls.get(last)?.id !== delta.id
    const index = typeof delta.index === "number" ? delta.index : starts || last === -1 ? calls.size : last
    last = index
    const known = calls.get(index)
    if (known !== undefined) return known
    if (calls.size >= maxCalls) throw brokenStreamFault("it calls too many tools at once")
    const call = { id: "", name: "", input: "" }
    calls.set(index, call)
    return call
  }

  return {
    take(value) {
      if (typeof value !== "object" || value === null) return
      const delta = value as ChatToolDelta
      const call = callFor(delta)
      if (call.id === "" && typeof delta.id === "string") call.id = delta.id
      const name = delta.function?.name
      if (call.name === "" && typeof name === "string") call.name = name
      call.input += inputText(delta.function?.arguments)
      if (call.input.length > maxInputChars) throw brokenStreamFault("a tool's input is too long")
    },
    complete() {
      return [...calls.values()].map((call) => {
        if (call.name === "") throw brokenStreamFault("it calls a tool without naming it")
        return {
          type: "tool",
          call: call.id === "" ? newCallId() : call.id,
          name: call.name,
          input: inputOrEmpty(call.input),
        }
      })
    },
  }
}

/** A few servers send the input as an object instead of a string. */
function inputText(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null) return ""
  try {
    return JSON.stringify(value)
  } catch {
    throw brokenStreamFault("a tool's input is nested too deeply")
  }
}
