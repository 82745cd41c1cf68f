import type { UsageTotal } from "@parlor/protocol"
import { type DayTotal, emptyDay, type Spending, type TotalsQuery, type UsageCounts } from "../ports/usage.ts"
import { isSameLine, sum } from "../usage/meter.ts"

export class MemoryLedger {
  #lines: Spending[] = []

  add(line: Spending): void {
    const known = this.#lines.findIndex((other) => isSameLine(other, line))
    const before = this.#lines[known]
    if (before === undefined) this.#lines.push(line)
    else this.#lines[known] = sum(before, line)
  }

  dropPerson(person: string): void {
    this.#lines = this.#lines.filter((line) => line.person !== person)
  }

  dayTotal(person: string, day: string): DayTotal {
    return this.#lines.filter((line) => line.person === person && line.day === day).reduce(added, emptyDay)
  }

  lines(person: string, { since, limit }: Parameters<UsageCounts["spending"]>[1]): Spending[] {
    const own = this.#lines.filter((line) => line.person === person && line.day >= since)
    return own.sort((a, b) => byText(b.day, a.day) || byText(nameOf(a), nameOf(b))).slice(0, limit)
  }

  totals({ since, by, limit }: TotalsQuery): UsageTotal[] {
    const found = new Map<string, UsageTotal>()
    for (const line of this.#lines) {
      if (line.day < since || line.source === "granted") continue
      const { calls, inputTokens, outputTokens, costMicros } = line
      const pick = (name: "person" | "agent" | "model") => (by.includes(name) ? line[name] : null)
      const of = { person: pick("person"), agent: pick("agent"), model: pick("model") }
      const before = found.get(JSON.stringify(of))
      found.set(JSON.stringify(of), {
        ...of,
        calls: (before?.calls ?? 0) + calls,
        inputTokens: (before?.inputTokens ?? 0) + inputTokens,
        outputTokens: (before?.outputTokens ?? 0) + outputTokens,
        costMicros: (before?.costMicros ?? 0) + costMicros,
      })
    }
    const tokens = (total: UsageTotal) => total.inputTokens + total.outputTokens
    return [...found.values()].sort((a, b) => b.costMicros - a.costMicros || tokens(b) - tokens(a)).slice(0, limit)
  }
}

function added(total: DayTotal, { source, calls, inputTokens, outputTokens, costMicros }: Spending): DayTotal {
  const tokens = inputTokens + outputTokens
  if (source === "granted")
    return {
      ...total,
      grantedTokens: total.grantedTokens + tokens,
      grantedMicros: total.grantedMicros + costMicros,
    }
  return {
    ...total,
    calls: total.calls + calls,
    tokens: total.tokens + tokens,
    costMicros: total.costMicros + costMicros,
  }
}

function nameOf({ source, agent, model }: Spending): string {
  return [source, agent, model].join("\0")
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
