/** Model providers as lines of text. Pure. */
import type { ProvidersView, ProviderView } from "@parlor/protocol"

export function providersLines({ providers, local, model, variable }: ProvidersView): readonly string[] {
  const decided = variable === null ? "" : ` (${variable} decides)`
  const found = local.map(({ name, models }) => `Found on this machine: ${name} with ${models.join(", ")}`)
  return [`Agents that name no model use ${model}${decided}.`, ...providers.map(providerLine), ...found]
}

export function providerLine({ provider, title, stored, variable, isInEnvironment }: ProviderView): string {
  const source = isInEnvironment ? [`${variable} is set and takes precedence`] : []
  return [`${provider.padEnd(11)} ${title}`, ...storedWords(stored), ...source].join(" · ")
}

function storedWords(stored: ProviderView["stored"]): readonly string[] {
  if (stored === null) return ["not connected"]
  const key = stored.ending === null ? [] : [`key …${stored.ending}`]
  const place = stored.url === null ? [] : [stored.url]
  const added = `added ${new Date(stored.addedAt).toISOString().slice(0, 10)}`
  const lost = stored.isReadable ? [] : ["cannot be read any more: add it again"]
  return [...key, ...place, `model ${stored.model}`, added, ...lost]
}
