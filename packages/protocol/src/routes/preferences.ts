/** What a person sets for themselves, on every device (SET-5). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { modelName } from "../rows/model-settings.ts"
import { sizeWords } from "../size-words.ts"
import { wellFormedText } from "../text.ts"
import { utf8Bytes } from "./memory.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** What is absent is not set. */
const preferences = z.strictObject({
  /** What every agent is told about this person and what they want (SET-6). */
  instructions: wellFormedText
    .refine(
      (text) => utf8Bytes(text) <= limits.instructionsBytes,
      `The instructions are too long. The maximum is ${sizeWords(limits.instructionsBytes)}.`,
    )
    .optional(),
  /** The agent that new chats begin with. */
  agent: wellFormedText.min(1).max(limits.nameLength).optional(),
  /** The model that new conversations begin with, where the agent offers it (SET-9). */
  model: modelName.optional(),
  /** The person's own limits for a day, below those of the server (SET-7). */
  tokensPerDay: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  dollarsPerDay: z.number().min(0.01).max(1_000_000).optional(),
})
export type Preferences = z.infer<typeof preferences>

/** `version` is 0 as long as nothing was ever set. */
const preferencesView = z.object({ preferences, version: z.int().min(0) })
export type PreferencesView = z.infer<typeof preferencesView>

export const preferenceRoutes = {
  readPreferences: {
    needs: "read",
    summary: "What the caller has set for themselves, and its version",
    answer: ok(preferencesView),
  },
  writePreferences: {
    needs: "write",
    summary: "Replaces what the caller has set, unless it changed since that version",
    body: preferencesView,
    answer: ok(preferencesView),
  },
} as const satisfies Record<string, DescribedRoute>
