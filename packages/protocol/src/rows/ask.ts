/** Questions of an agent to a person. */
import { z } from "zod"
import { askId, millis, turnId } from "./fields.ts"

export const askRow = z.object({
  id: askId,
  turn: turnId,
  /** The tool call it is about, when it is about one. */
  call: z.string().nullable(),
  kind: z.enum(["approval", "question", "form"]),
  title: z.string(),
  detail: z.string(),
  options: z.array(z.string()).nullable(),
  /** Any other text is an answer too (ASK-2). */
  other: z.literal(true).optional(),
  /** The tool that an approval is about, if it may be allowed from now on (ASK-4). */
  tool: z.string().optional(),
  schema: z.json().nullable(),
  expiresAt: millis.nullable(),
  state: z.enum(["open", "answered", "expired", "withdrawn"]),
  answer: z.json().nullable(),
  answeredBy: z.string().nullable(),
})
export type AskRow = z.infer<typeof askRow>
