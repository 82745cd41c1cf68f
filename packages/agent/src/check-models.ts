/** Validates what an agent's definition says about models. */
import { isAiSdkModel } from "@parlor/models"
import { modelSettings } from "@parlor/protocol"
import type { AgentOptions } from "./agent-options.ts"
import type { ConfigError } from "./config-error.ts"

const SETTINGS: readonly string[] = Object.keys(modelSettings.shape)

export function checkModels(agent: AgentOptions, wrong: (field: string, why: string) => ConfigError): void {
  const { model, fallback = [], models = [], personSettings = [] } = agent
  const lists = { fallback: Array.isArray(fallback) ? fallback : [fallback], models }
  if (model !== undefined && !isModel(model)) throw wrong("model", NAME_ONE)
  for (const [field, list] of Object.entries(lists))
    for (const one of list) if (!isModel(one)) throw wrong(field, NAME_ONE)
  for (const name of personSettings)
    if (!SETTINGS.includes(name))
      throw wrong("personSettings", `"${name}" is not a setting. Use: ${SETTINGS.join(", ")}.`)
  const { temperature, reasoning, maxOutputTokens, providerOptions } = agent
  const given = Object.entries({ temperature, reasoning, maxOutputTokens, providerOptions })
  const checked = modelSettings.safeParse(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
  const [issue] = checked.error?.issues ?? []
  if (issue !== undefined) throw wrong(issue.path.join("."), issue.message)
}

export const NAME_ONE = 'name a model, such as "openai/gpt-5.6" or "demo".'

export function isModel(value: unknown): boolean {
  if (typeof value === "string") return value !== ""
  return isAiSdkModel(value) || typeof (value as { readonly run?: unknown } | null)?.run === "function"
}
