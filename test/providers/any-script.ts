/** What a model may do to a turn, through the port: events in any order, faults, silence, chatter without end. */
import { type ModelEvent, ModelFault } from "@parlor/core"
import fc from "fast-check"
import { anyBytes, anyCallId, anyInput, anyText, anyToolName } from "./any-bytes.ts"

export type Beat =
  | { readonly kind: "event"; readonly event: ModelEvent }
  /** After the run is over, as no model should. */
  | { readonly kind: "late"; readonly event: ModelEvent }
  | { readonly kind: "throw"; readonly error: unknown }
  | { readonly kind: "hang" }
  /** Empty chunks for ever. */
  | { readonly kind: "hum" }
  | { readonly kind: "wait"; readonly ms: number }
  /** A person stops the turn at this very moment. */
  | { readonly kind: "stop" }
  | { readonly kind: "steer" }

/** One call of the model: beats, or the bytes of a stream through the parser. `deaf`: it goes on when it is aborted. */
export type Call =
  | { readonly kind: "beats"; readonly beats: readonly Beat[]; readonly deaf: boolean }
  | { readonly kind: "bytes"; readonly pieces: readonly Buffer[] }

const anyCount = fc.constantFrom(0, 3, 1_000, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 0.5)

const anyEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  { weight: 4, arbitrary: anyText.map((text) => ({ type: "text", text }) as const) },
  { weight: 2, arbitrary: anyText.map((text) => ({ type: "reasoning", text }) as const) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anyCallId, anyToolName, anyInput)
      .map(([call, name, input]) => ({ type: "tool", call, name, input }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("stop", "tools", "length", "filter", "other"), anyCount, anyCount)
      .map(([reason, a, b]) => ({
        type: "finish" as const,
        reason: reason as "stop",
        usage: { inputTokens: a, outputTokens: b, reasoningTokens: 0, cachedTokens: a },
      })),
  },
)

const anyError: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.boolean().map((transient) => new ModelFault("It broke off.", { transient })) },
  { weight: 2, arbitrary: fc.constantFrom(0, 300, 86_400_000).map((ms) => passing(ms)) },
  { weight: 1, arbitrary: fc.constantFrom(new TypeError("oops"), "a text", undefined, null, { error: "object" }, 42) },
)

const anyBeat: fc.Arbitrary<Beat> = fc.oneof(
  { weight: 20, arbitrary: anyEvent.map((event) => ({ kind: "event", event }) as const) },
  { weight: 1, arbitrary: anyEvent.map((event) => ({ kind: "late", event }) as const) },
  { weight: 2, arbitrary: anyError.map((error) => ({ kind: "throw", error }) as const) },
  { weight: 1, arbitrary: fc.constantFrom<Beat>({ kind: "hang" }, { kind: "hum" }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 900, 1_100).map((ms) => ({ kind: "wait", ms }) as const) },
  { weight: 1, arbitrary: fc.constantFrom<Beat>({ kind: "stop" }, { kind: "steer" }) },
)

const anyCall: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("beats" as const),
      beats: fc.array(anyBeat, { maxLength: 7 }),
      deaf: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: anyBytes.map((pieces) => ({ kind: "bytes", pieces }) as const) },
)

export const anyCalls = fc.array(anyCall, { minLength: 1, maxLength: 5 })

function passing(retryAfterMs: number): ModelFault {
  return new ModelFault("Too many requests.", { transient: true, retryAfterMs })
}
