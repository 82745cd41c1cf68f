import { TriggerItem } from "./TriggerItem.tsx"
import type { Item, TriggerKind } from "./triggerView.ts"
import type { TriggerActs } from "./useTriggers.ts"

const titles: readonly (readonly [TriggerKind, string, string])[] = [
  ["schedule", "Schedules", "No schedules. Wakeups that agents set for themselves appear here too."],
  ["hook", "Webhooks", "No webhooks. A webhook lets an outside program wake an agent."],
  [
    "notice",
    "Outgoing webhooks",
    "No outgoing webhooks. They are called when a turn finishes or an agent asks something.",
  ],
]

export type TriggerListProps = { readonly items: readonly Item[] | undefined; readonly acts: TriggerActs }

export function TriggerList({ items, acts }: TriggerListProps) {
  if (items === undefined) return <p className="mt-6 animate-late text-muted text-sm">Loading…</p>
  return titles.map(([kind, title, none]) => {
    const shown = items.filter((item) => item.kind === kind)
    return (
      <section key={kind} aria-label={title} className="mt-6">
        <h2 className="font-semibold text-muted text-sm">{title}</h2>
        {shown.length === 0 ? (
          <p className="mt-2 text-muted text-sm">{none}</p>
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
