/** Usage of a person as lines for a terminal. Pure. */
import { sizeWords, type UsageLine, type UsageTotal, type UsageView } from "@parlor/protocol"

export function usageLines(view: UsageView): readonly string[] {
  const { tokens, costMicros, calls, resetsAt, stored, conversations, files } = view
  const { memories, triggers } = stored
  const parts = { conversations: stored.conversations, "files and attachments": stored.files, memories, triggers }
  return [
    `Today (${view.day}, UTC; resets in ${hours(resetsAt, Date.now())})`,
    `  model calls  ${number(calls)}`,
    `  tokens       ${number(tokens.used)} of ${tokens.limit === null ? "unlimited" : number(tokens.limit)}`,
    `  cost         ${dollars(costMicros.used)} of ${costMicros.limit === null ? "unlimited" : dollars(costMicros.limit)}`,
    "Stored",
    `  total                  ${sizeWords(stored.used)} of ${stored.limit === null ? "unlimited" : sizeWords(stored.limit)}`,
    ...Object.entries(parts).map(([what, bytes]) => `  ${what.padEnd(21)}  ${sizeWords(bytes)}`),
    `  number of conversations  ${number(conversations.used)} of ${conversations.limit === null ? "unlimited" : number(conversations.limit)}`,
    `  number of files          ${number(files.used)} of ${files.limit === null ? "unlimited" : number(files.limit)}`,
    ...(view.lines.length === 0 ? [] : ["", ...view.lines.map(spoken)]),
  ]
}

/** Usage of everyone, the most expensive first (OPS-20). */
export function totalLines({
  since,
  totals,
  whole,
}: {
  readonly since: string
  readonly totals: readonly UsageTotal[]
  readonly whole: boolean
}): readonly string[] {
  return [
    `Since ${since} (UTC)`,
    ...totals.map(({ person, agent, model, calls, inputTokens, outputTokens, costMicros }) => {
      const names = [person, agent, model].filter((name) => name !== null)
      return `  ${[...names, `${number(calls)} calls`, `${number(inputTokens)} in, ${number(outputTokens)} out`, dollars(costMicros)].join("  ")}`
    }),
    ...(whole ? [] : ["  … and more"]),
  ]
}

function spoken({ day, source, agent, model, calls, inputTokens, outputTokens, costMicros }: UsageLine): string {
  const tokens = `${number(inputTokens)} in, ${number(outputTokens)} out`
  return `${day}  ${source}  ${agent}  ${model}  ${number(calls)} calls  ${tokens}  ${dollars(costMicros)}`
}

function number(count: number): string {
  return count.toLocaleString("en-US")
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(2)}`
}

const HOUR_MS = 60 * 60_000

function hours(at: number, now: number): string {
  const left = Math.max(0, at - now)
  return left >= HOUR_MS ? `${Math.round(left / HOUR_MS)} h` : `${Math.max(1, Math.round(left / 60_000))} min`
}
