/** Numbers of the inspector in words a person reads at a glance. Pure. */
import type { InspectedStep, TurnGlance, Usage } from "@parlor/protocol"

const MICROS = 1_000_000

/** Exact where it is short, rounded where nobody counts. */
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
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`
}

export type Figure = { readonly label: string; readonly value: string }

/** What was counted; what is none of, and need not be, is left out. */
export function usageFigures({
  inputTokens,
  cachedTokens,
  outputTokens,
  reasoningTokens,
  costMicros,
}: Usage): readonly Figure[] {
  return [
    { label: "Tokens in", value: countText(inputTokens) },
    ...(cachedTokens > 0 ? [{ label: "of them cached", value: countText(cachedTokens) }] : []),
    { label: "Tokens out", value: countText(outputTokens) },
    ...(reasoningTokens > 0 ? [{ label: "of them reasoning", value: countText(reasoningTokens) }] : []),
    { label: "Cost", value: costMicros > 0 ? costText(costMicros) : "no price known" },
  ]
}

const STATES: Readonly<Record<TurnGlance["state"], string>> = {
  running: "Running",
  retrying: "Trying again",
  waiting: "Waiting for you",
  done: "Done",
  stopped: "Stopped",
  failed: "Failed",
  interrupted: "Interrupted",
}

export function stateText(state: TurnGlance["state"]): string {
  return STATES[state]
}

/** What a turn is called in lists. */
export function turnTitle({ compaction, question, guest }: TurnGlance): string {
  if (compaction) return "Compaction: what was said is summed up"
  const asked = question === "" ? "A message without words" : question
  return guest === null ? asked : `${guest}: ${asked}`
}

const SURE: Readonly<Record<InspectedStep["prompt"]["state"], string>> = {
  exact: "Exactly as it was sent: checked against a mark taken then.",
  differs:
    "Put together again from the log, but not quite what was sent: something it was made of has changed or is gone since.",
  missing: "What the model was sent was not recorded for this step, or is gone.",
  pending: "The model is being asked right now. The prompt is shown when it has answered.",
  "left-out": "Choose this step to load its prompt.",
}

export function promptText(state: InspectedStep["prompt"]["state"]): string {
  return SURE[state]
}

function trimmed(number: number): string {
  return number.toFixed(number < 100 ? 1 : 0).replace(/\.0$/, "")
}
