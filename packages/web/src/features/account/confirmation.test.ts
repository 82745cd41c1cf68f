import { expect, it } from "vitest"
import { isConfirmed } from "./confirmation.ts"

it("[TAB-42] only the whole phrase confirms", () => {
  for (const typed of ["delete my data", " Delete My Data "]) expect(isConfirmed(typed, "delete my data")).toBe(true)
  for (const typed of ["", "delete", "delete my  data", "delete my data!"])
    expect(isConfirmed(typed, "delete my data")).toBe(false)
})
