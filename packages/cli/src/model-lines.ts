/** The models of an agent as lines of text. Pure. */
import type { ModelPrice, ModelSettings, ModelView } from "@parlor/protocol"

export function modelLines(models: readonly ModelView[], settings: ModelSettings | null): readonly string[] {
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
  const { model: _, ...rest } = settings ?? {}
  return Object.keys(rest).length === 0 ? lines : [...lines, `Settings: ${JSON.stringify(rest)}`]
}

function windowText(tokens: number): string {
  return tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(1)}M tokens` : `${Math.round(tokens / 1_000)}k tokens`
}

function priceText({ input, output }: ModelPrice): string {
  return `$${input} in, $${output} out per million`
}
