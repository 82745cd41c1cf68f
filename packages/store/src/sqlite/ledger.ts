/** Usage of people's model calls. Lines are written by `append.ts`, with the append that carries them. */
import type { DayTotal, Spending, UsageCounts } from "@parlor/core"
import { DAY_TOTAL, SPENDING, type SpendingRow, toDayTotal, toSpending } from "../spending-row.ts"
import type { Database } from "./connect.ts"

export class LedgerReads {
  readonly db: Database
  readonly #total
  readonly #lines

  constructor(db: Database) {
    this.db = db
    this.#total = db.prepare(DAY_TOTAL)
    this.#lines = db.prepare(SPENDING)
  }

  dayTotal(person: string, day: string): DayTotal {
    return toDayTotal(this.#total.get(person, day) as DayTotal)
  }

  spending(person: string, { since, limit }: Parameters<UsageCounts["spending"]>[1]): Spending[] {
    return (this.#lines.all(person, since, limit) as SpendingRow[]).map((row) => toSpending({ ...row }))
  }
}
