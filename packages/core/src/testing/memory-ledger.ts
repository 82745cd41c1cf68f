import { type DayTotal, emptyDay, type Spending, type UsageCounts } from "../ports/usage.ts"
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
