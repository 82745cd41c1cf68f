import type { Parlor } from "@parlor/client"
import { useCallback } from "react"
import { t } from "../../texts/en/account.ts"
import { Progress } from "../../ui/Progress.tsx"
import { Refused } from "../list/Refused.tsx"
import { useAsked } from "../list/useList.ts"
import { Section } from "./Section.tsx"
import { type Meter, metersOf, resetsWords } from "./usageView.ts"

export type UsageSectionProps = { readonly parlor: Pick<Parlor, "usage">; readonly onRefused: () => void }

/** What was used today, what is stored, and the limits (SEC-20 to SEC-24, SEC-42). */
export function UsageSection({ parlor, onRefused }: UsageSectionProps) {
  const read = useCallback(() => parlor.usage(), [parlor])
  const { answer: usage, note, reload } = useAsked(read, { onRefused })
  return (
    <Section name="usage" title={t("usage")}>
      <Refused note={note} onRetry={reload} />
      {usage === undefined && note === undefined && <p className="animate-late text-muted">{t("loading")}</p>}
      {usage !== undefined && (
        <>
          <dl className="grid gap-3 sm:grid-cols-2">
            {metersOf(usage).map((meter) => (
              <MeterView key={meter.label} meter={meter} />
            ))}
          </dl>
          <p className="mt-3 text-muted text-xs">{resetsWords(usage)}</p>
        </>
      )}
    </Section>
  )
}

function MeterView({ meter: { label, words, percent } }: { readonly meter: Meter }) {
  return (
    <div className="rounded-lg border border-line px-3.5 py-2.5 text-sm">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="mt-0.5 tabular-nums">{words}</dd>
      {percent !== undefined && (
        <dd className="mt-2">
          <Progress label={label} percent={percent} />
        </dd>
      )}
    </div>
  )
}
