import { expect, it } from "vitest"

/** The runner needs one file to start with; its own work follows. */
it("begins", () => {
  expect(globalThis).toHaveProperty("__mutate__")
})
