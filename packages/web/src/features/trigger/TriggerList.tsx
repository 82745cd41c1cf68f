import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/trigger.ts"
import { TriggerItem } from "./TriggerItem.tsx"
import type { Item, TriggerKind } from "./triggerView.ts"
import type { TriggerActs } from "./useTriggers.ts"

const titles = [
  ["schedule", "schedules", "noSchedules"],
  ["hook", "webhooks", "noWebhooks"],
  ["notice", "outgoingWebhooks", "noOutgoing"],
] as const satisfies readonly (readonly [TriggerKind, string, string])[]

export type TriggerListProps = { readonly items: readonly Item[] | undefined; readonly acts: TriggerActs }

export function TriggerList({ items, acts }: TriggerListProps) {
  if (items === undefined) return <p className="mt-6 animate-late text-muted text-sm">{common("loading")}</p>
  return titles.map(([kind, title, none]) => {
    const shown = items.filter((item) => item.kind === kind)
    return (
      <section key={kind} aria-label={t(title)} className="mt-6">
        <h2 className="font-semibold text-muted text-sm">{t(title)}</h2>
        {shown.length === 0 ? (
          <p className="mt-2 text-muted text-sm">{t(none)}</p>
        ) : (
          <ul className="mt-2 space-y-2">
            {shown.map((item) => (
              <TriggerItem key={item.id} item={item} acts={acts} />
            ))}
          </ul>
        )}
      </section>
    )
  })
}
