/**
 * What a conversation's owner used and has not written yet. The owner's next append carries it, so that a turn writes no
 * more often than without it (SEC-20).
 */
import type { Spending } from "../ports/ledger.ts"

export class Meter {
  #lines: Spending[] = []

  add(line: Spending): void {
    const known = this.#lines.findIndex((other) => isSameLine(other, line))
    const before = this.#lines[known]
    if (before === undefined) this.#lines.push(line)
    else this.#lines[known] = sum(before, line)
  }

  /** For an append. One that is refused gives it back. */
  take(): readonly Spending[] {
    if (this.#lines.length === 0) return NOTHING
    return this.#lines.splice(0)
  }

  giveBack(lines: readonly Spending[]): void {
    for (const line of lines) this.add(line)
  }
}

const NOTHING: readonly Spending[] = []

export function isSameLine(a: Spending, b: Spending): boolean {
  return a.person === b.person && a.day === b.day && a.source === b.source && a.agent === b.agent && a.model === b.model
}

export function sum(a: Spending, b: Spending): Spending {
  return {
    ...a,
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicros: a.costMicros + b.costMicros,
  }
}
