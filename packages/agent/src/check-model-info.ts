/** Validates the config's `modelInfo` (MOD-6). */
import { modelPrice } from "@parlor/protocol"
import { z } from "zod"
import { ConfigError } from "./config-error.ts"

const tokens = z.number().int().positive()
const schema = z.record(
  z.string(),
  z.strictObject({ window: tokens.optional(), maxOutput: tokens.optional(), price: modelPrice.optional() }),
)

export function checkModelInfo(given: unknown): void {
  const [issue] = schema.safeParse(given ?? {}).error?.issues ?? []
  if (issue !== undefined) throw new ConfigError(`modelInfo.${issue.path.join(".")}: ${issue.message}`)
}
