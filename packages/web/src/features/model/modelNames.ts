/** Names of models for people, and which of them the filter shows. Pure. */
import type { ModelSettings, ModelView } from "@parlor/protocol"

export const DEMO = "demo"

/** `anthropic/claude-sonnet-5-5` is `claude-sonnet-5-5`; `compatible/vendor/model` is `vendor/model`. */
export function shortName(name: string): string {
  const slash = name.indexOf("/")
  return slash === -1 ? name : name.slice(slash + 1)
}

export function providerOf(name: string): string {
  const slash = name.indexOf("/")
  return slash === -1 ? "" : name.slice(0, slash)
}

/** Those that contain all words of the query. */
export function matching(models: readonly ModelView[], query: string): readonly ModelView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}

/** The settings of the conversation with another model; the agent's default is no setting at all. */
export function settingsWith(before: ModelSettings | null | undefined, model: ModelView): ModelSettings {
  const { model: _, ...rest } = before ?? {}
  return model.isDefault ? rest : { ...rest, model: model.name }
}
