/**
 * A model that does what the last message of the person says:
 *
 *   "say 12"          twelve words, one every few milliseconds
 *   "say 12 slowly"   one every 40 ms
 *   "stall"           three words, then nothing forever
 *   "cost 12"         one word, for 12 tokens
 *   "use <tool>"      calls the tool once, then says its result
 */
import { CARRY_ON, type Model, type ModelEvent, type ModelRequest } from "@parlor/core"
import { finish } from "@parlor/core/testing"
import { emptyUsage } from "@parlor/protocol"
import { sleep } from "../faults/waiting.ts"

const WORD_MS = 4
const SLOW_WORD_MS = 40
const WORDS_BEFORE_STALL = 3

export type SpokenModel = Model & {
  readonly requests: readonly ModelRequest[]
  /** Calls that have neither ended nor been aborted. */
  readonly open: number
}

export function spokenModel(): SpokenModel {
  const requests: ModelRequest[] = []
  let open = 0
  return {
    name: "spoken",
    window: 100_000,
    requests,
    get open() {
      return open
    },
    async run(request, { signal, onEvent }) {
      requests.push(request)
      open += 1
      try {
        await speak(request, signal, onEvent)
      } finally {
        open -= 1
      }
    },
  }
}

async function speak(request: ModelRequest, signal: AbortSignal, onEvent: (event: ModelEvent) => void): Promise<void> {
  const asked = lastOf(request)
  if (asked === CARRY_ON) return said("and so on", onEvent)
  const results = request.messages.at(-1)
  const tool = /^use (\w+)/.exec(asked)?.[1]
  if (results?.role === "tools")
    return said(`It gave ${JSON.stringify(results.results.at(-1)?.output)}. ${asked}`, onEvent)
  if (tool !== undefined) {
    onEvent({ type: "tool", call: `call_${request.messages.length}`, name: tool, input: "{}" })
    return onEvent(finish("tools"))
  }
  const cost = Number(/^cost (\d+)/.exec(asked)?.[1] ?? 0)
  if (cost > 0) {
    onEvent({ type: "text", text: asked })
    return onEvent(finish("stop", { ...emptyUsage, outputTokens: cost }))
  }
  const count = asked === "stall" ? WORDS_BEFORE_STALL : Number(/^say (\d+)/.exec(asked)?.[1] ?? 1)
  for (let i = 1; i <= count; i++) {
    if (signal.aborted) throw signal.reason
    onEvent({ type: "text", text: `${asked}.${i} ` })
    await sleep(asked.endsWith("slowly") ? SLOW_WORD_MS : WORD_MS)
  }
  if (asked === "stall") await aborted(signal)
  if (signal.aborted) throw signal.reason
  onEvent(finish())
}

function said(text: string, onEvent: (event: ModelEvent) => void): void {
  onEvent({ type: "text", text })
  onEvent(finish())
}

/** The model is shown some notes of ours among the person's words; the last line is what was typed. */
function lastOf(request: ModelRequest): string {
  const last = request.messages.findLast((message) => message.role === "person")
  return (last?.role === "person" ? last.text : "").trim().split("\n").at(-1) ?? ""
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
