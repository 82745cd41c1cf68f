/** The models and modes of a session, whichever of ACP's ways the agent reports them in (HST-12). Pure. */
import type { HarnessChoice } from "@parlor/core"
import { isFields } from "./updates.ts"

type Fields = Readonly<Record<string, unknown>>

/** Something a person may choose. `config`: the id of the session's option; undefined if it has a method of its own. */
type Choice = {
  readonly config: string | undefined
  readonly current: string
  readonly choices: readonly HarnessChoice[]
}

export type SessionOffers = { readonly model?: Choice; readonly mode?: Choice }

const MAX_CHOICES = 1_000
const MAX_TEXT = 500

/** From the response to a new, loaded or resumed session, or from an update of its options. */
export function offersIn(response: unknown, before: SessionOffers = {}): SessionOffers {
  if (!isFields(response)) return before
  const options = Array.isArray(response.configOptions) ? response.configOptions.filter(isFields) : []
  const model = optionOf(options, "model") ?? modelsOf(response.models) ?? before.model
  const mode = optionOf(options, "mode") ?? modesOf(response.modes) ?? before.mode
  return { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) }
}

function optionOf(options: readonly Fields[], category: string): Choice | undefined {
  const option = options.find((one) => one.category === category) ?? options.find((one) => one.id === category)
  if (option === undefined || option.type !== "select" || typeof option.id !== "string") return undefined
  const current = option.currentValue
  const listed = Array.isArray(option.options) ? option.options.filter(isFields) : []
  const flat = listed.flatMap((one) => (Array.isArray(one.options) ? one.options.filter(isFields) : [one]))
  const choices = flat.flatMap((one) => choiceOf(one.value, one)).slice(0, MAX_CHOICES)
  return typeof current === "string" ? { config: option.id, current, choices } : undefined
}

function modesOf(modes: unknown): Choice | undefined {
  if (!isFields(modes) || typeof modes.currentModeId !== "string") return undefined
  const listed = Array.isArray(modes.availableModes) ? modes.availableModes.filter(isFields) : []
  const choices = listed.flatMap((one) => choiceOf(one.id, one)).slice(0, MAX_CHOICES)
  return { config: undefined, current: modes.currentModeId, choices }
}

function modelsOf(models: unknown): Choice | undefined {
  if (!isFields(models) || typeof models.currentModelId !== "string") return undefined
  const listed = Array.isArray(models.availableModels) ? models.availableModels.filter(isFields) : []
  const choices = listed.flatMap((one) => choiceOf(one.modelId, one)).slice(0, MAX_CHOICES)
  return { config: undefined, current: models.currentModelId, choices }
}

function choiceOf(id: unknown, { name, description }: Fields): readonly HarnessChoice[] {
  if (typeof id !== "string" || id === "" || id.length > MAX_TEXT) return []
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_TEXT) : "")
  return [{ id, name: text(name) || id, description: text(description) }]
}
