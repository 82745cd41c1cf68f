/** `parlor usage`: your usage, storage and limits (SEC-20). */
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"
import { totalLines, usageLines } from "../usage-lines.ts"

export type UsageOptions = ConnectionOptions & {
  readonly terminal: Terminal
  readonly of?: string
  readonly by?: string
  readonly days?: string
  readonly json?: boolean
}

export async function usage(options: UsageOptions): Promise<number> {
  const { terminal, of, by, days, json } = options
  if (by !== undefined) return totals(by, options)
  const query = { ...(of === undefined ? {} : { person: of }), ...(days === undefined ? {} : { days: Number(days) }) }
  const found = await connect(options).usage(query)
  if (json) await terminal.out(`${plainJson(JSON.stringify(found))}\n`)
  else for (const line of usageLines(found)) await terminal.out(`${plain(line)}\n`)
  return 0
}

async function totals(by: string, options: UsageOptions): Promise<number> {
  const { terminal, days, json } = options
  const found = await connect(options).usageTotals({ by, ...(days === undefined ? {} : { days: Number(days) }) })
  if (json) await terminal.out(`${plainJson(JSON.stringify(found))}\n`)
  else for (const line of totalLines(found)) await terminal.out(`${plain(line)}\n`)
  return 0
}
