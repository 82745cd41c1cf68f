/** Slash commands available in a conversation. */
import { z } from "zod"

export const slashCommandRow = z.object({
  name: z.string(),
  description: z.string(),
  arguments: z.array(
    z.object({
      name: z.string(),
      type: z.enum(["string", "number", "boolean"]),
      required: z.boolean(),
      description: z.string(),
    }),
  ),
  /** What to type after the command, in its author's words; missing in rows from before there were hints (CMP-19). */
  argumentHint: z.string().nullable().optional(),
  owner: z.string().nullable(),
})
export type SlashCommandRow = z.infer<typeof slashCommandRow>
