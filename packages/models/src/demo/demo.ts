/**
 * The built-in model: no key, no network, answers word by word (TRN-16).
 *
 * `intents.ts` decides what to say; this file streams it. The same request gets the same answer, except that a request to
 * fail a number of times succeeds after that. An abort ends it immediately.
 */
import { type Clock, type Model, type ModelEvent, ModelFault, type ModelRequest } from "@parlor/core"
import type { TokenCounts } from "@parlor/protocol"
import { emitEnding, type ToolEvent } from "../ending.ts"
import { type Failures, failures } from "./failures.ts"
import { scriptFor } from "./intents.ts"
import { messagesText } from "./messages-text.ts"
import { type Beat, type Script, words } from "./script.ts"

export type DemoOptions = { readonly clock: Clock; readonly wordsPerSecond?: number }

const usualWordsPerSecond = 50
const charsPerToken = 4

export function demoModel(options: DemoOptions): Model {
  const { clock, wordsPerSecond = usualWordsPerSecond } = options
  const failed = failures()
  return {
    name: "demo",
    window: 32_000,
    run(request, { signal, onEvent }) {
      const script = scriptFor(request).filter((beat) => !isOvercome(beat, request, failed))
      const emit = (event: ModelEvent): void => {
        if (!signal.aborted) onEvent(event)
      }
      const moments = script.flatMap((beat) => momentsOf(beat, wordsPerSecond, emit))
      const ending = { calls: callsIn(script, request), reason: "stop", usage: usageOf(script, request) } as const
      return play([...moments, { afterMs: 0, happen: () => emitEnding(emit, ending) }], clock, signal)
    },
  }
}

function isOvercome(beat: Beat, request: ModelRequest, failed: Failures): boolean {
  return beat.type === "fail" && beat.times !== undefined && !failed.again(request, beat.times)
}

/** One event and the pause before it. */
type Moment = { readonly afterMs: number; readonly happen: () => void }

function momentsOf(beat: Beat, wordsPerSecond: number, emit: (event: ModelEvent) => void): readonly Moment[] {
  switch (beat.type) {
    case "say": {
      const afterMs = 1000 / (beat.perSecond ?? wordsPerSecond)
      return words(beat.text).map((text) => ({ afterMs, happen: () => emit({ type: "text", text }) }))
    }
    case "think": {
      const afterMs = 1000 / wordsPerSecond
      return words(beat.text).map((text) => ({ afterMs, happen: () => emit({ type: "reasoning", text }) }))
    }
    case "fail": {
      const fault = new ModelFault(beat.message, { transient: beat.transient })
      const happen = (): void => {
        throw fault
      }
      return [{ afterMs: 0, happen }]
    }
    case "call":
      return []
  }
}

function play(moments: readonly Moment[], clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let position = 0
    let cancel = (): void => {}
    const abort = (): void => {
      cancel()
      reject(signal.reason)
    }
    const end = (settle: () => void): void => {
      signal.removeEventListener("abort", abort)
      settle()
    }
    const awaitNext = (): void => {
      if (signal.aborted) return
      const moment = moments[position++]
      if (moment === undefined) end(resolve)
      else cancel = clock.after(moment.afterMs, () => arrive(moment))
    }
    const arrive = (moment: Moment): void => {
      try {
        moment.happen()
        awaitNext()
      } catch (error) {
        end(() => reject(error))
      }
    }
    signal.addEventListener("abort", abort, { once: true })
    awaitNext()
  })
}

/** Ids are unique in a conversation as long as it grows, and the same for the same request. */
function callsIn(script: Script, request: ModelRequest): readonly ToolEvent[] {
  const prefix = `demo_${request.messages.length}_${charsIn(request)}`
  return script.flatMap((beat, i) =>
    beat.type === "call"
      ? [{ type: "tool", call: `${prefix}_${i}`, name: beat.name, input: JSON.stringify(beat.input) }]
      : [],
  )
}

function usageOf(script: Script, request: ModelRequest): TokenCounts {
  let said = 0
  let thought = 0
  for (const beat of script) {
    if (beat.type === "say") said += beat.text.length
    if (beat.type === "think") thought += beat.text.length
    if (beat.type === "call") said += beat.name.length + JSON.stringify(beat.input).length
  }
  return {
    inputTokens: tokens(charsIn(request)),
    outputTokens: tokens(said + thought),
    reasoningTokens: tokens(thought),
    cachedTokens: 0,
  }
}

function charsIn(request: ModelRequest): number {
  return request.instructions.length + messagesText(request.messages).length + JSON.stringify(request.tools).length
}

function tokens(chars: number): number {
  return Math.ceil(chars / charsPerToken)
}
