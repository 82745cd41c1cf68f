/** How the file that defines the agents was loaded (CLI-8). */
import { z } from "zod"
import { millis } from "../rows/fields.ts"
import { type DescribedRoute, ok } from "./route.ts"

const configProblem = z.object({
  /** `error`: the previous agents stay until it is fixed. */
  kind: z.enum(["error", "warning"]),
  /** With the file and, where it is known, the line. */
  detail: z.string(),
  at: millis,
})
export type ConfigProblem = z.infer<typeof configProblem>

/** `file`: null if the agents are the built-in ones, or if the caller may not know. */
const configView = z.object({ file: z.string().nullable(), problems: z.array(configProblem) })
export type ConfigView = z.infer<typeof configView>

export const configRoutes = {
  readConfig: {
    needs: "read",
    summary: "How the file that defines the agents was loaded, with its mistakes; empty without the scope `manage`",
    answer: ok(configView),
  },
} as const satisfies Record<string, DescribedRoute>
