/** Number formatting for the inspector. Pure. */
import type { InspectedStep, TurnGlance, Usage } from "@parlor/protocol"

const MICROS = 1_000_000

/** Exact when short, otherwise rounded. */
export function countText(count: number): string {
  if (count < 10_000) return count.toLocaleString("en-US")
  if (count < 999_500) return `${trimmed(count / 1_000)}k`
  return `${trimmed(count / 1_000_000)}M`
}

/** Small sums keep their digits: a turn often costs less than a cent. */
export function costText(micros: number): string {
  if (micros === 0) return "$0"
  if (micros < 1) return "<$0.000001"
  const dollars = micros / MICROS
  return dollars >= 0.995 ? `$${dollars.toFixed(2)}` : `$${dollars.toPrecision(2)}`
}

export function spanText(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function shareText(context: NonNullable<TurnGlance["context"]>): string {
  const percent = (context.tokens / context.window) * 100
  return percent > 0 && percent < 1 ? "<1%" : `${Math.round(percent)}%`
}

export type Figure = { readonly label: string; readonly value: string }

/** The usage figures; optional ones that are zero are omitted. */
export function usageFigures({
  inputTokens,
  cachedTokens,
  cacheWriteTokens = 0,
  outputTokens,
  reasoningTokens,
  costMicros,
}: Usage): readonly Figure[] {
  return [
    { label: "Tokens in", value: countText(inputTokens) },
    ...(cachedTokens > 0 ? [{ label: "of them cached", value: countText(cachedTokens) }] : []),
    ...(cacheWriteTokens > 0 ? [{ label: "written to the cache", value: countText(cacheWriteTokens) }] : []),
    { label: "Tokens out", value: countText(outputTokens) },
    ...(reasoningTokens > 0 ? [{ label: "of them reasoning", value: countText(reasoningTokens) }] : []),
    { label: "Cost", value: costMicros > 0 ? costText(costMicros) : "price unknown" },
  ]
}

const STATES: Readonly<Record<TurnGlance["state"], string>> = {
  running: "Running",
  retrying: "Retrying",
  waiting: "Waiting for you",
  done: "Done",
  stopped: "Stopped",
  failed: "Failed",
  interrupted: "Interrupted",
}

export function stateText(state: TurnGlance["state"]): string {
  return STATES[state]
}

/** A turn's title in lists. */
export function turnTitle({ compaction, question, guest }: TurnGlance): string {
  if (compaction) return "Compaction: older messages are summarized"
  const asked = question === "" ? "Message without text" : question
  return guest === null ? asked : `${guest}: ${asked}`
}

const SURE: Readonly<Record<InspectedStep["prompt"]["state"], string>> = {
  exact: "Exactly as sent: verified against a checksum recorded at the time.",
  differs:
    "Rebuilt from the log, but not identical to what was sent: something it was built from has since changed or been deleted.",
  missing: "The prompt of this step was not recorded, or has been deleted.",
  pending: "The model is being called right now. The prompt appears once it has answered.",
  "left-out": "Select this step to load its prompt.",
}

export function promptText(state: InspectedStep["prompt"]["state"]): string {
  return SURE[state]
}

function trimmed(number: number): string {
  return number.toFixed(number < 100 ? 1 : 0).replace(/\.0$/, "")
}
