/** Number formatting for the inspector. Pure. */
import type { TurnGlance, Usage } from "@parlor/protocol"
import { t } from "../../texts/en/figures.ts"
import { numberText } from "../../texts/format.ts"
import { locale } from "../../texts/texts.ts"

const MICROS = 1_000_000

/** Exact when short, otherwise rounded. */
export function countText(count: number): string {
  if (count < 10_000) return numberText(count)
  if (count < 999_500) return t("thousands", { number: trimmed(count / 1_000) })
  return t("millions", { number: trimmed(count / 1_000_000) })
}

/** Small sums keep their digits: a turn often costs less than a cent. */
export function costText(micros: number): string {
  if (micros === 0) return dollarText(0, { maximumFractionDigits: 0 })
  if (micros < 1) return `<${dollarText(1 / MICROS, { maximumFractionDigits: 6 })}`
  const dollars = micros / MICROS
  const digits = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }
  return dollarText(dollars, dollars >= 0.995 ? {} : digits)
}

export function spanText(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 100_000) return `${decimalText(ms / 1_000, 1, 1)} s`
  const seconds = Math.round(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function shareText(context: NonNullable<TurnGlance["context"]>): string {
  const percent = (context.tokens / context.window) * 100
  return t("percent", { percent: percent > 0 && percent < 1 ? "<1" : String(Math.round(percent)) })
}

export type Figure = { readonly label: string; readonly value: string }

/** The usage figures; optional ones that are zero are omitted. */
export function usageFigures({
  inputTokens,
  cachedTokens,
  cacheWriteTokens = 0,
  outputTokens,
  reasoningTokens,
  costMicros,
}: Usage): readonly Figure[] {
  return [
    { label: t("tokensIn"), value: countText(inputTokens) },
    ...(cachedTokens > 0 ? [{ label: t("cached"), value: countText(cachedTokens) }] : []),
    ...(cacheWriteTokens > 0 ? [{ label: t("cacheWritten"), value: countText(cacheWriteTokens) }] : []),
    { label: t("tokensOut"), value: countText(outputTokens) },
    ...(reasoningTokens > 0 ? [{ label: t("reasoning"), value: countText(reasoningTokens) }] : []),
    { label: t("cost"), value: costMicros > 0 ? costText(costMicros) : t("priceUnknown") },
  ]
}

function trimmed(number: number): string {
  return decimalText(number, 0, number < 100 ? 1 : 0)
}

function decimalText(number: number, least: number, most: number): string {
  return number.toLocaleString(locale(), { minimumFractionDigits: least, maximumFractionDigits: most })
}

function dollarText(dollars: number, digits: Intl.NumberFormatOptions): string {
  const style = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", useGrouping: false } as const
  return dollars.toLocaleString(locale(), { ...style, ...digits })
}
