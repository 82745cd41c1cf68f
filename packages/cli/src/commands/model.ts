/** `parlor model`: the models an agent offers, and the settings of one conversation (MOD-3, MOD-5). */
import type { ModelSettings } from "@parlor/protocol"
import { modelLines } from "../model-lines.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConversationOptions, connect, conversationOf } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ModelOptions = ConversationOptions & {
  readonly terminal: Terminal
  readonly model?: string
  readonly temperature?: string
  readonly maxOutput?: string
  readonly reasoning?: string
  readonly mode?: string
  readonly fallback?: readonly string[]
  readonly reset?: boolean
  readonly json?: boolean
}

/** Without a model and options it lists; otherwise it changes what is given and keeps the rest. */
export async function model(options: ModelOptions): Promise<number> {
  const { terminal, json } = options
  const parlor = connect(options)
  const conversation = await conversationOf(options)
  const given = givenSettings(options)
  const isChange = options.reset === true || Object.keys(given).length > 0
  if (isChange) {
    const before = options.reset === true ? {} : ((await conversation.open({ messages: 1 })).status.settings ?? {})
    const settings = { ...before, ...given } as ModelSettings
    const { settings: after } = await conversation.setModel(settings)
    await terminal.out(json ? `${plainJson(JSON.stringify(after))}\n` : `${plain(settingsLine(after))}\n`)
    return 0
  }
  const { models, modes } = await parlor.offers(conversation.agent)
  if (json) await terminal.out(`${plainJson(JSON.stringify(modes.length === 0 ? models : { models, modes }))}\n`)
  else {
    const { settings } = (await conversation.open({ messages: 1 })).status
    for (const line of modelLines(models, modes, settings ?? null)) await terminal.out(`${plain(line)}\n`)
  }
  return 0
}

function givenSettings({ model: name, temperature, maxOutput, reasoning, mode, fallback }: ModelOptions) {
  const all = {
    model: name,
    temperature: temperature === undefined ? undefined : Number(temperature),
    maxOutputTokens: maxOutput === undefined ? undefined : Number(maxOutput),
    reasoning,
    mode,
    fallbacks: fallback,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function settingsLine(settings: ModelSettings | null): string {
  if (settings === null) return "Back to the agent's own settings, from the next turn on."
  return `From the next turn on: ${JSON.stringify(settings)}`
}
