import { expect, it } from "vitest"

/** The runner needs one file to begin with; what it does comes after it. */
it("begins", () => {
  expect(globalThis).toHaveProperty("__mutate__")
})
