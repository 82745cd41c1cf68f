/** A model that does what its calls say and then, when they are used up, answers properly. */
import type { Clock, Model, ModelEvent, ModelRequest } from "@parlor/core"
import { emptyUsage } from "@parlor/protocol"
import { answerParser } from "../../packages/models/src/compatible/parse.ts"
import type { Beat, Call } from "./any-script.ts"

export type Unruly = Model & { readonly requests: readonly ModelRequest[]; behave(): void }

export type UnrulyParts = {
  readonly calls: readonly Call[]
  readonly clock: Clock
  readonly stop: () => void
  readonly steer: () => void
}

const HUM_MS = 400

export function unrulyModel({ calls, clock, stop, steer }: UnrulyParts): Unruly {
  const requests: ModelRequest[] = []
  let left = [...calls]

  async function play(beat: Beat, signal: AbortSignal, onEvent: (event: ModelEvent) => void): Promise<void> {
    switch (beat.kind) {
      case "event":
        return onEvent(beat.event)
      case "late":
        return void clock.after(50, () => onEvent(beat.event))
      case "throw":
        throw beat.error
      case "hang":
        return new Promise(() => {})
      case "hum":
        while (!signal.aborted) {
          onEvent({ type: "text", text: "" })
          await elapsed(clock, HUM_MS)
        }
        return
      case "wait":
        return elapsed(clock, beat.ms)
      case "stop":
        return stop()
      case "steer":
        return steer()
    }
  }

  return {
    name: "unruly",
    window: 100_000,
    requests,
    behave() {
      left = []
    },
    async run(request, { signal, onEvent }) {
      requests.push(request)
      const call = left.shift()
      if (call === undefined) {
        onEvent({ type: "text", text: "All is well." })
        onEvent({ type: "finish", reason: "stop", usage: emptyUsage })
        return
      }
      if (call.kind === "bytes") return parse(call.pieces, onEvent)
      for (const beat of call.beats) {
        await play(beat, signal, onEvent)
        if (!call.deaf && signal.aborted) throw signal.reason
      }
    },
  }
}

async function parse(pieces: readonly Buffer[], onEvent: (event: ModelEvent) => void): Promise<void> {
  let made = 0
  const parser = answerParser(onEvent, { newCallId: () => `made_${made++}` })
  for (const piece of pieces) {
    if (parser.push(piece)) return
    await Promise.resolve()
  }
  parser.end()
}

function elapsed(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}
