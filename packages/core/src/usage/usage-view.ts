/** A person's usage, for themselves and for managers of the server (SEC-20). */
import {
  limits,
  type PersonView,
  type UsageGroup,
  type UsageLine,
  type UsageTotal,
  type UsageView,
} from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import type { Spending } from "../ports/usage.ts"
import { type QuotaSettings, storedBytes } from "../quota/quota.ts"
import { DAY_MS, dayOf, nextDay } from "./day.ts"
import type { UsageSettings } from "./settings.ts"

type UsageAccess = Ports & {
  readonly settings: { readonly usage: UsageSettings; readonly quota: QuotaSettings }
}

/** `days`: the number of days, including today. */
export async function usageView(node: UsageAccess, person: string, days: number): Promise<UsageView> {
  const now = node.clock.now()
  const { tokensPerDay, microsPerDay } = node.settings.usage
  const since = dayOf(now - (days - 1) * DAY_MS)
  const { quota } = node.settings
  const [today, lines, stored] = await Promise.all([
    node.store.usage.dayTotal(person, dayOf(now)),
    node.store.usage.spending(person, { since, limit: limits.usageLines }),
    node.store.usage.stored(person),
  ])
  return {
    person,
    day: dayOf(now),
    resetsAt: nextDay(now),
    calls: today.calls,
    tokens: { used: today.tokens, limit: tokensPerDay === null ? null : tokensPerDay + today.grantedTokens },
    costMicros: { used: today.costMicros, limit: microsPerDay === null ? null : microsPerDay + today.grantedMicros },
    stored: {
      used: storedBytes(stored),
      limit: quota.storedBytes,
      conversations: stored.conversationBytes,
      files: stored.fileBytes,
      memories: stored.memoryBytes,
      triggers: stored.triggerBytes,
    },
    conversations: { used: stored.conversations, limit: quota.conversations },
    files: { used: stored.files, limit: quota.files },
    lines: lines.flatMap(lineOf),
  }
}

/** The usage of everyone, for the owner of the server (OPS-20). */
export async function usageTotals(
  node: UsageAccess,
  { by, days }: { readonly by: readonly UsageGroup[]; readonly days: number },
): Promise<{ readonly since: string; readonly totals: UsageTotal[]; readonly whole: boolean }> {
  const since = dayOf(node.clock.now() - (days - 1) * DAY_MS)
  const found = await node.store.usage.totals({ since, by, limit: limits.usageTotals + 1 })
  return { since, totals: found.slice(0, limits.usageTotals), whole: found.length <= limits.usageTotals }
}

/** The people who have data, a page at a time (OPS-20). */
export async function listPeople(
  node: UsageAccess,
  { after = "", limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly people: PersonView[]; readonly after: string | null }> {
  const found = await node.store.usage.people({ after, limit: limit + 1 })
  const page = found.slice(0, limit)
  return {
    people: page.map((one) => ({ person: one.person, conversations: one.conversations, bytes: storedBytes(one) })),
    after: found.length > limit ? (page.at(-1)?.person ?? null) : null,
  }
}

function lineOf({ person: _, source, ...line }: Spending): UsageLine[] {
  return source === "granted" ? [] : [{ ...line, source }]
}
