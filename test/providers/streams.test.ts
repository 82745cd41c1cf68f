/**
 * 3,000 generated model streams, 20,000 with PARLOR_LONG=1: most as bytes into the parser, the rest into whole turns. A
 * failure prints its seed; `PARLOR_SEED` replays it.
 */

import { type ModelEvent, ModelFault } from "@parlor/core"
import { requestDefects } from "@parlor/core/testing"
import { type MessageRow, type Part, textDefect } from "@parlor/protocol"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { buildRequest } from "../../packages/core/src/context/context.ts"
import { waitingCall } from "../../packages/core/src/model-call/tool-call.ts"
import { answerParser } from "../../packages/models/src/compatible/parse.ts"
import { rounds } from "../support/rounds.ts"
import { anyBytes, inPieces } from "./any-bytes.ts"
import { anyCalls } from "./any-script.ts"
import { defectsOf } from "./whole-turn.ts"

const seed = process.env.PARLOR_SEED === undefined ? {} : { seed: Number(process.env.PARLOR_SEED) }
const BYTE_STREAMS = rounds({ usual: 1_500, long: 17_000 })
const TURNS = rounds({ usual: 300, long: 3_000 })

const unhandled: unknown[] = []
const note = (error: unknown) => unhandled.push(error)
beforeEach(() => void process.on("unhandledRejection", note))
afterEach(() => void process.off("unhandledRejection", note))

describe("generated model streams", () => {
  it("[TRN-8, TRN-10] as bytes: a fault or a whole answer, cut anywhere the same, and a valid next request", () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(2_000), { maxLength: 4 }), (pieces, elsewhere) => {
        const read = parsed(pieces)
        const defects = [...parserDefects(read), ...requestDefects(requestAfter(read.events))]
        const other = parsed(inPieces(Buffer.concat(pieces), elsewhere))
        if (joined(other) !== joined(read)) defects.push(`cut elsewhere it says ${joined(other)}`)
        if (defects.length > 0) expect(defects).toEqual([])
      }),
      { numRuns: BYTE_STREAMS, ...seed },
    )
  }, 120_000)

  it("[TRN-8, TRN-10] through whole turns: each ends, the next is answered, every request is valid, the log folds to the rows", async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, async (calls) => {
        expect(await defectsOf(calls)).toEqual([])
      }),
      { numRuns: TURNS, ...seed },
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  }, 240_000)
})

type Read = { readonly events: readonly ModelEvent[]; readonly error: unknown }

function parsed(pieces: readonly Buffer[]): Read {
  const events: ModelEvent[] = []
  let made = 0
  try {
    const parser = answerParser((event) => events.push(event), { newCallId: () => `made_${made++}` })
    for (const piece of pieces) parser.push(piece)
    parser.end()
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

function parserDefects({ events, error }: Read): string[] {
  const defects: string[] = []
  if (error !== undefined && !(error instanceof ModelFault)) defects.push(`throws ${String(error)}`)
  if (error instanceof Error && (textDefect(error.message) !== undefined || error.message.length > 400))
    defects.push("the fault cannot be shown")
  const said = events.findIndex((event) => event.type === "tool" || event.type === "finish")
  const ending = said < 0 ? [] : events.slice(said)
  if (ending.length > 0 && error !== undefined) defects.push("an answer that ended is a fault as well")
  if (
    error === undefined &&
    ending.map(({ type }) => type).join() !== [...ending.slice(1).map(() => "tool"), "finish"].join()
  )
    defects.push(`ends with ${ending.map(({ type }) => type).join()}`)
  for (const event of events) {
    if ((event.type === "text" || event.type === "reasoning") && (event.text === "" || textDefect(event.text)))
      defects.push("a text is empty or malformed")
    if (event.type === "tool" && (event.name === "" || event.call === "")) defects.push("a call has no name or no id")
    if (event.type === "finish" && Object.values(event.usage).some((count = 0) => !(count >= 0 && count < Infinity)))
      defects.push("the usage is no number")
  }
  return defects
}

/** How an answer is cut into deltas means nothing. */
function joined({ events, error }: Read): string {
  const texts = { text: "", reasoning: "" }
  const rest: ModelEvent[] = []
  for (const event of events) {
    if (event.type === "text" || event.type === "reasoning") texts[event.type] += event.text
    else rest.push(event)
  }
  return JSON.stringify({ texts, rest, error: String(error) })
}

function requestAfter(events: readonly ModelEvent[]) {
  const taken = new Set<string>()
  const parts = events.flatMap((event): Part[] => {
    if (event.type === "finish" || event.type === "block") return []
    if (event.type !== "tool") return [event]
    const call = waitingCall(event, taken)
    taken.add(call.call)
    return [call.state === "waiting" ? { ...call, state: "done" } : call]
  })
  const messages = [row(1, "person", [{ type: "text", text: "go" }]), row(2, "agent", parts)]
  return buildRequest({ author: "", host: "crab", instructions: "", notes: "", tools: [], messages })
}

function row(ord: number, role: MessageRow["role"], parts: Part[]): MessageRow {
  const none = { author: "", turn: null, composer: null, inbox: null, trigger: null, dimmed: false }
  return { id: `msg_${ord}`, ord, role, parts, state: "done", ...none } as unknown as MessageRow
}
