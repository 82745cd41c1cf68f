/**
 * Any JSON, as it was parsed: nothing is copied and nothing is dropped.
 *
 * The one thing that parsing lets through and that cannot be written out again is a number past all numbers.
 */
import { z } from "zod"

export const jsonValue = z
  .custom<z.core.util.JSONType>((value) => value !== undefined, "Something is missing here.")
  .superRefine((value, ctx) => {
    const path = pathToInfinite(value)
    if (path !== undefined) ctx.addIssue({ code: "custom", path, message: "A number here is too large." })
  })

/** Depth is bounded where JSON comes in, so this cannot go down without end. */
function pathToInfinite(value: unknown): (string | number)[] | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : []
  if (typeof value !== "object" || value === null) return undefined
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [key, inner] of entries) {
    const path = pathToInfinite(inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}
