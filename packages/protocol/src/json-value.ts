/**
 * Any JSON value as parsed: nothing is copied or dropped.
 *
 * Parsing accepts numbers that overflow to Infinity, which cannot be serialized again: those are refused.
 */
import { z } from "zod"

export const jsonValue = z
  .custom<z.core.util.JSONType>((value) => value !== undefined, "A value is required.")
  .superRefine((value, ctx) => {
    const path = pathToInfinite(value)
    if (path !== undefined) ctx.addIssue({ code: "custom", path, message: "This number is too large." })
  })

/** The depth of incoming JSON is limited, so this recursion is bounded. */
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
