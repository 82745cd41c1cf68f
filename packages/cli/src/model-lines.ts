/** The models of an agent as lines of text. Pure. */
import type { ModelPrice, ModelSettings, ModelView, ModeView } from "@parlor/protocol"

export function modelLines(
  models: readonly ModelView[],
  modes: readonly ModeView[],
  settings: ModelSettings | null,
): readonly string[] {
  if (models.length === 0 && modes.length === 0)
    return ["The agent reports its models and modes with its first reply. Send it a message."]
  const chosen = settings?.model ?? models.find(({ isDefault }) => isDefault)?.name
  const width = Math.max(...models.map(({ name }) => name.length))
  const lines = models.map(({ name, window, price, missing }) => {
    const facts = [
      windowText(window),
      price === null ? "price unknown" : priceText(price),
      ...(missing ? [missing] : []),
    ]
    return `${name === chosen ? "*" : " "} ${name.padEnd(width)}  ${facts.join(" · ")}`
  })
  const { model: _, mode, ...rest } = settings ?? {}
  const chosenMode = mode ?? modes.find(({ isDefault }) => isDefault)?.name
  const modeLines = modes.map(({ name, description }) =>
    `${name === chosenMode ? "*" : " "} mode ${name}  ${description}`.trimEnd(),
  )
  const others = Object.keys(rest).length === 0 ? [] : [`Settings: ${JSON.stringify(rest)}`]
  return [...lines, ...modeLines, ...others]
}

function windowText(tokens: number): string {
  return tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(1)}M tokens` : `${Math.round(tokens / 1_000)}k tokens`
}

function priceText({ input, output }: ModelPrice): string {
  return `$${input} in, $${output} out per million`
}
