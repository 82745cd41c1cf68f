/** The models that an agent offers, and the settings of a conversation (MOD-3 to MOD-5). */
import { z } from "zod"
import { agentName } from "../names.ts"
import { conversationParams } from "../requests.ts"
import { modelSettings } from "../rows/model-settings.ts"
import { type DescribedRoute, ok } from "./route.ts"

const rates = {
  input: z.number(),
  output: z.number(),
  /** Of input read from the provider's prompt cache, and written to it. */
  cached: z.number().optional(),
  cacheWrite: z.number().optional(),
}

/** In dollars per million tokens. */
export const modelPrice = z.object({
  ...rates,
  /** For prompts with more input tokens than `above`. */
  long: z.object({ above: z.number(), ...rates }).optional(),
})
export type ModelPrice = z.infer<typeof modelPrice>

const modelView = z.object({
  name: z.string(),
  /** The context window in tokens. */
  window: z.number(),
  maxOutput: z.number().nullable(),
  price: modelPrice.nullable(),
  /** False if it cannot be used until what `missing` says is done. */
  ready: z.boolean(),
  missing: z.string().nullable(),
  /** The model of conversations that choose none. */
  isDefault: z.boolean(),
})
export type ModelView = z.infer<typeof modelView>

/** A mode of a hosted agent (HST-12). */
const modeView = z.object({ name: z.string(), title: z.string(), description: z.string(), isDefault: z.boolean() })
export type ModeView = z.infer<typeof modeView>

export const modelRoutes = {
  listModels: {
    needs: "read",
    summary: "The models that the agent offers, with window, price, and whether each is ready to use",
    params: z.object({ agent: agentName }),
    answer: ok(z.object({ models: z.array(modelView), modes: z.array(modeView) })),
  },
  setModel: {
    needs: "write",
    repeats: "harmless",
    summary:
      "Replaces the model settings of the conversation; {} returns to the agent's own. Applies from the next turn",
    params: conversationParams,
    body: modelSettings,
    answer: ok(z.object({ settings: modelSettings.nullable() })),
  },
} as const satisfies Record<string, DescribedRoute>
