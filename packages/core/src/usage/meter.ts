/**
 * Usage that a conversation's owner has not written yet. The owner's next append carries it, so that a turn needs no
 * extra writes (SEC-20).
 */
import type { Spending } from "../ports/usage.ts"

export class Meter {
  #lines: Spending[] = []

  add(line: Spending): void {
    const known = this.#lines.findIndex((other) => isSameLine(other, line))
    const before = this.#lines[known]
    if (before === undefined) this.#lines.push(line)
    else this.#lines[known] = sum(before, line)
  }

  /** For an append. If that is rejected, the usage is added back. */
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
