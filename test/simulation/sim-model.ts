/** A model that answers at random: text in pieces, thoughts, tool calls good and bad, faults, silence. */
import { type Model, type ModelEvent, ModelFault, type ModelRequest, SUMMARY_INSTRUCTIONS } from "@parlor/core"
import type { Random } from "../faults/random.ts"
import type { Process } from "./process.ts"

export type ModelCall = {
  readonly number: number
  readonly model: string
  readonly process: Process
  readonly request: ModelRequest
  readonly at: number
  /** What it has said, by kind. */
  text: string
  reasoning: string
  end: "open" | "finished" | "transient" | "permanent"
  retryAfterMs: number | undefined
  endedAt: number
}

export type ModelParts = {
  readonly process: Process
  readonly random: Random
  readonly isCalm: () => boolean
  readonly faults: boolean
  readonly window: number
  readonly charsPerToken: number
  readonly nextCall: () => number
  readonly nextToken: () => number
  readonly called: (call: ModelCall) => void
}

type Move =
  | { readonly afterMs: number; readonly events: readonly ModelEvent[] }
  | { readonly afterMs: number; readonly fault: ModelFault }
  | "stall"
  | "end"

const TOOLS = ["look", "look", "pay", "pay", "guarded", "guarded", "broken", "slow", "ask_person", "fly"] as const
/** Stands for the count of the prompt until it is known which one. */
const usage = { inputTokens: 10, outputTokens: 5, reasoningTokens: 0, cachedTokens: 0 }

export function simModel(name: string, parts: ModelParts): Model {
  return {
    name,
    window: parts.window,
    run(request, { signal, onEvent }) {
      const { process } = parts
      const number = parts.nextCall()
      const at = process.clock.now()
      const open = { text: "", reasoning: "", end: "open", retryAfterMs: undefined, endedAt: 0 } as const
      const call: ModelCall = { number, model: name, process, request, at, ...open }
      parts.called(call)
      const moves = isSummary(request)
        ? summing(request, parts)
        : parts.isCalm()
          ? plain(number)
          : anyMoves(number, parts)
      const isDeaf = parts.random.chance(0.2)
      const inputTokens = Math.ceil(JSON.stringify(request).length / parts.charsPerToken)
      const counting = (event: ModelEvent) =>
        onEvent(event.type === "finish" ? { ...event, usage: { ...event.usage, inputTokens } } : event)
      return new Promise((resolve, reject) => {
        if (!isDeaf) signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        play(call, moves, { onEvent: counting, resolve, reject })
      })
    },
  }
}

type Ends = {
  readonly onEvent: (event: ModelEvent) => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

function play(call: ModelCall, moves: readonly Move[], ends: Ends, place = 0): void {
  const move = moves[place] ?? "end"
  const { clock } = call.process
  const end = (how: ModelCall["end"]) => {
    call.end = how
    call.endedAt = clock.now()
  }
  if (move === "stall") return
  if (move === "end") {
    end("finished")
    ends.resolve()
    return
  }
  clock.after(move.afterMs, () => {
    if ("fault" in move) {
      end(move.fault.transient ? "transient" : "permanent")
      call.retryAfterMs = move.fault.retryAfterMs
      ends.reject(move.fault)
      return
    }
    for (const event of move.events) {
      if (event.type === "text" || event.type === "reasoning") call[event.type] += event.text
      ends.onEvent(event)
    }
    play(call, moves, ends, place + 1)
  })
}

export function isSummary({ instructions }: ModelRequest): boolean {
  return instructions === SUMMARY_INSTRUCTIONS
}

/** Begins with the name of the conversation, so that a request that holds it tells which one it is of. */
function summing(request: ModelRequest, parts: ModelParts): Move[] {
  const { random } = parts
  const text = request.messages.map((message) => (message.role === "person" ? message.text : "")).join("\n")
  const said = random.chance(0.1) && !parts.isCalm() ? "" : `${/@c\d/.exec(text)?.[0] ?? ""} was summed up.`
  const whole: Move[] = [{ afterMs: random.pick([0, 5, 100]), events: [{ type: "text", text: said }, finish("stop")] }]
  return parts.isCalm() || !parts.faults || !random.chance(0.25) ? whole : [fault(random)]
}

function plain(number: number): Move[] {
  return [{ afterMs: 5, events: [text(`#${number} calm.`), finish("stop")] }]
}

function anyMoves(number: number, parts: ModelParts): Move[] {
  const { random } = parts
  const moves: Move[] = []
  if (random.chance(0.2)) moves.push(...said(random, number, "reasoning"))
  const kind = random.int(0, 99)
  if (kind < 60) moves.push(...said(random, number, "text"), last(random, [finish("stop")]))
  else if (kind < 84) {
    if (random.chance(0.5)) moves.push(...said(random, number, "text"))
    moves.push(last(random, [...toolCalls(number, parts), finish("tools")]))
  } else if (kind < 87) moves.push(last(random, [finish("stop")]))
  else moves.push(...said(random, number, "text"), last(random, [finish("stop")]))
  if (!parts.faults || !random.chance(0.25)) return moves
  const kept = moves.slice(0, random.int(0, moves.length))
  return [...kept, random.chance(0.2) ? "stall" : fault(random)]
}

function fault(random: Random): Move {
  const afterMs = random.pick([0, 20, 300])
  if (random.chance(0.15)) return { afterMs, fault: new ModelFault("no such model", { transient: false }) }
  const retryAfterMs = random.chance(0.3) ? random.pick([0, 50, 3_000]) : undefined
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  return { afterMs, fault: new ModelFault("overloaded", { transient: true, ...wait }) }
}

/** The number comes first, so that a message tells which call it is of. Pairs are cut in two, and what may become a tag. */
function said(random: Random, number: number, type: "text" | "reasoning"): Move[] {
  const pieces = [`#${number} `]
  const count = random.int(0, 4)
  for (let n = 0; n < count; n++) {
    if (random.chance(0.1)) pieces.push(`w${n}\ud83d`, "\ude00 ")
    else if (random.chance(0.08)) pieces.push("<fr", "om age", "nt <")
    else pieces.push(`w${n} `)
  }
  return pieces.map((piece) => ({ afterMs: random.pick([0, 1, 10, 60, 250]), events: [{ type, text: piece }] }))
}

function toolCalls(number: number, parts: ModelParts): ModelEvent[] {
  const { random } = parts
  const shared = random.chance(0.05) ? `call_same_${number}` : undefined
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, index): ModelEvent => {
    const call = shared ?? (random.chance(0.1) ? "" : random.chance(0.1) ? "call_1" : `call_${number}_${index}`)
    const name = random.pick(TOOLS)
    const token = parts.nextToken()
    return { type: "tool", call, name, input: random.chance(0.07) ? badInput(random) : JSON.stringify({ n: token }) }
  })
}

function badInput(random: Random): string {
  return random.pick(['{"n":', '{"n":"seven"}', "[1]", "7", "", "null"])
}

function last(random: Random, events: readonly ModelEvent[]): Move {
  return { afterMs: random.pick([0, 5, 100]), events }
}

function text(said: string): ModelEvent {
  return { type: "text", text: said }
}

function finish(reason: "stop" | "tools"): ModelEvent {
  return { type: "finish", reason, usage }
}
