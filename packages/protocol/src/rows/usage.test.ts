import fc from "fast-check"
import { expect, test } from "vitest"
import { emptyUsage } from "./blank-rows.ts"
import { addUsage, type Usage } from "./usage.ts"

const usage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: fc.nat(),
  outputTokens: fc.nat(),
  reasoningTokens: fc.nat(),
  cachedTokens: fc.nat(),
  costMicros: fc.nat(),
})

test("[TRN-14] usage adds up in any order, starting from zero", () => {
  fc.assert(
    fc.property(usage, usage, (a, b) => {
      expect(addUsage(a, emptyUsage)).toEqual(a)
      expect(addUsage(a, b)).toEqual(addUsage(b, a))
      expect(addUsage(a, b).inputTokens).toBe(a.inputTokens + b.inputTokens)
    }),
  )
})
