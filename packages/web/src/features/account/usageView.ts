/** The usage of a person, ready to show. Pure. */
import { sizeWords, type UsageView } from "@parlor/protocol"
import { t } from "../../texts/en/account.ts"
import { clockText, numberText } from "../../texts/format.ts"
import { locale } from "../../texts/texts.ts"
import { percentOf } from "../../ui/Progress.tsx"

export type Meter = {
  readonly label: string
  readonly words: string
  /** Undefined without a limit. */
  readonly percent: number | undefined
}

type Bounded = { readonly used: number; readonly limit: number | null }

export function metersOf({ calls, tokens, costMicros, stored, conversations, files }: UsageView): readonly Meter[] {
  return [
    { label: t("modelCallsToday"), words: numberText(calls), percent: undefined },
    meter(t("tokensToday"), tokens, numberText),
    meter(t("costToday"), costMicros, dollars),
    meter(t("storage"), stored, sizeWords),
    meter(t("conversations"), conversations, numberText),
    meter(t("files"), files, numberText),
  ]
}

export function resetsWords({ resetsAt }: Pick<UsageView, "resetsAt">): string {
  return t("resetsAt", { time: clockText(resetsAt) })
}

function meter(label: string, { used, limit }: Bounded, format: (value: number) => string): Meter {
  if (limit === null) return { label, words: format(used), percent: undefined }
  return {
    label,
    words: t("usedOf", { used: format(used), limit: format(limit) }),
    percent: limit === 0 ? 100 : percentOf(used / limit),
  }
}

function dollars(micros: number): string {
  return (micros / 1_000_000).toLocaleString(locale(), { style: "currency", currency: "USD" })
}
