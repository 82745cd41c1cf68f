/** Usage of people's model calls. Lines are written by `append.ts`, with the append that carries them. */
import { type DayTotal, emptyDay, type Spending, type UsageCounts } from "@parlor/core"
import { DAY_TOTAL, SPENDING, type SpendingRow, toDayTotal, toSpending } from "../spending-row.ts"
import type { Database, Statement } from "./connect.ts"

const TOTAL: Statement = { name: "day-total", text: counted(dollars(DAY_TOTAL)) }
const LINES: Statement = { name: "spending", text: dollars(SPENDING) }

export async function dayTotal(db: Database, person: string, day: string): Promise<DayTotal> {
  const [row] = await db.read<DayTotal>(TOTAL, [person, day])
  return row === undefined ? emptyDay : toDayTotal(row)
}

export async function spending(
  db: Database,
  person: string,
  { since, limit }: Parameters<UsageCounts["spending"]>[1],
): Promise<Spending[]> {
  return (await db.read<SpendingRow>(LINES, [person, since, limit])).map(toSpending)
}

function dollars(text: string): string {
  return text.replaceAll("?", "$")
}

/** A sum of bigints is numeric, which the driver reads as text. */
function counted(text: string): string {
  return text.replaceAll(", 0) AS", ", 0)::bigint AS")
}
