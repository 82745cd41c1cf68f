/** Turns as lines: their usage, and one of them step by step (LOG-15). Pure. */
import {
  type InspectedMessage,
  type InspectedRequest,
  type InspectedStep,
  type InspectedTurn,
  sizeWords,
  spokenTime,
  type TurnGlance,
  type Usage,
} from "@parlor/protocol"
import { plain } from "./plain.ts"
import { shortened } from "./queue-lines.ts"

const QUESTION_LENGTH = 60
const MICROS = 1_000_000

export function glanceLines(turns: readonly TurnGlance[]): readonly string[] {
  return turns.map((turn) => {
    const who = turn.guest === null ? [] : [`as ${turn.guest}`]
    const context =
      turn.context === null ? [] : [`${percent(turn.context.tokens, turn.context.window)} of context window`]
    const asked = turn.compaction ? "(compaction)" : shortened(turn.question, QUESTION_LENGTH)
    const took = [turn.state, ...who, spanOf(turn.startedAt, turn.endedAt), count(turn.steps, "step")]
    return plain(
      [turn.id, spokenTime(turn.startedAt), [...took, tokens(turn.usage), ...context].join(", "), asked].join("  "),
    )
  })
}

export function turnLines({ turn, recorded, whole, steps, waits, changes }: InspectedTurn): readonly string[] {
  const [head = ""] = glanceLines([turn])
  if (!recorded)
    return [head, "", "The steps of this turn were not recorded: it is from an older version, or was imported."]
  const begin = turn.startedAt
  return [
    head,
    ...(turn.error === null ? [] : [plain(`  ${turn.error.code}: ${turn.error.detail}`)]),
    "",
    ...steps.flatMap((step) => stepLines(step, begin)),
    ...waits.map((wait) =>
      plain(`${after(wait.startedAt, begin)}  waited ${spanOf(wait.startedAt, wait.endedAt)}: ${wait.title}`),
    ),
    "",
    "Changes",
    ...changes.map(({ at, seq, what }) => plain(`${after(at, begin)}  ${String(seq).padStart(5)}  ${what}`)),
    ...(whole ? [] : ["  … the rest is too long to show"]),
  ]
}

/** The prompt as sent, section by section. */
export function promptLines({ number, prompt }: InspectedStep): readonly string[] {
  if (prompt.request === null) return [`The prompt of step ${number} is not available (${prompt.state}).`]
  const { instructions, messages, tools } = prompt.request
  const sure = prompt.state === "exact" ? "exactly as sent" : "rebuilt, may differ from what was sent"
  return [
    `Prompt of step ${number}, ${sure}`,
    "",
    "── instructions",
    plain(instructions),
    ...messages.flatMap((message) => ["", `── ${message.role}`, plain(saidIn(message))]),
    "",
    `── tools (${tools.length})`,
    ...tools.map(toolLine),
  ]
}

function stepLines(step: InspectedStep, begin: number): readonly string[] {
  const { number, model, startedAt, firstAt, endedAt, usage, prompt } = step
  const first = startedAt === null || firstAt === null ? [] : [`first token after ${spanOf(startedAt, firstAt)}`]
  const took = startedAt === null ? [] : [spanOf(startedAt, endedAt)]
  const said = [model ?? "unknown model", ...took, ...first, tokens(usage), ...promptNote(prompt)].join(", ")
  const failed = step.attempts.filter(({ error }) => error !== null)
  return [
    plain(`${after(startedAt ?? begin, begin)}  step ${number}: ${said}`),
    ...failed.map(({ model: tried, startedAt: at, error }) =>
      plain(`${after(at, begin)}    ${tried} failed: ${error}`),
    ),
    ...step.tools.map(({ name, state, error, startedAt: from, endedAt: to }) => {
      const long = from === null ? "" : ` ${spanOf(from, to)}`
      return plain(
        `${after(from ?? to ?? begin, begin)}    tool ${name} ${state}${long}${error === null ? "" : `: ${error.detail}`}`,
      )
    }),
  ]
}

/** Left out: it was not requested. */
function promptNote({ state }: InspectedStep["prompt"]): readonly string[] {
  return state === "left-out" ? [] : [`prompt ${state}`]
}

function saidIn(message: InspectedMessage): string {
  switch (message.role) {
    case "person":
      return [
        message.text,
        ...(message.attachments ?? []).map(({ name, bytes }) => `[${name}, ${sizeWords(bytes)}]`),
      ].join("\n")
    case "agent":
      return message.parts
        .map((part) => {
          if (part.type === "text") return part.text
          if (part.type === "reasoning") return `[reasoning] ${part.text}`.trimEnd()
          return `→ ${part.name} ${JSON.stringify(part.input)} (${part.call})`
        })
        .join("\n")
    case "tools":
      return message.results
        .map(({ name, call, outcome, output }) => `← ${name} ${outcome} (${call}): ${asText(output)}`)
        .join("\n")
  }
}

function asText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output)
}

function toolLine({ name, description, inputSchema }: InspectedRequest["tools"][number]): string {
  return plain(`${name}: ${description}\n  ${JSON.stringify(inputSchema)}`)
}

function tokens({ inputTokens, outputTokens, cachedTokens, ...more }: Usage): string {
  const { cacheWriteTokens = 0, reasoningTokens, costMicros } = more
  const of = [
    `${inputTokens} in`,
    ...(cachedTokens > 0 ? [`${cachedTokens} cached`] : []),
    ...(cacheWriteTokens > 0 ? [`${cacheWriteTokens} written to the cache`] : []),
    `${outputTokens} out`,
    ...(reasoningTokens > 0 ? [`${reasoningTokens} reasoning`] : []),
  ]
  return `${of.join(" ")}${costMicros > 0 ? `, $${(costMicros / MICROS).toFixed(4)}` : ""}`
}

/** Null: still running. */
function spanOf(from: number, to: number | null): string {
  if (to === null) return "not ended"
  const ms = Math.max(0, to - from)
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function after(at: number, begin: number): string {
  return `+${(Math.max(0, at - begin) / 1_000).toFixed(2)} s`.padStart(10)
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`
}
