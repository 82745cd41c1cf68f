/**
 * A turn as OpenTelemetry spans with the GenAI semantic conventions: `invoke_agent`, and below it a `chat` span for every
 * model call and an `execute_tool` span for every tool. Pure.
 *
 * Spans are made from the log when the turn has ended, so a turn that was interrupted by a crash and continued elsewhere
 * has the steps of both processes. Ids are derived from the ids in the log: a turn that is exported twice is the same
 * trace. Texts are left out unless they are asked for (OPS-13).
 */
import { createHash } from "node:crypto"
import type { InspectedAttempt, InspectedStep, InspectedTool, InspectedTurn } from "@parlor/protocol"

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
type Attribute = { readonly key: string; readonly value: Value }

/** As OTLP's JSON encoding has it. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number; readonly message?: string }
}

const INTERNAL = 1
const CLIENT = 3
const UNSET = 0
const ERROR = 2
const MAX_CONTENT_CHARS = 32_000
const MAX_MESSAGE_CHARS = 300

export type SpanOptions = {
  /** A name for the conversation: it is the same for all its turns and says nothing about the person. */
  readonly conversation: string
  /** Whether instructions and messages are included. */
  readonly content: boolean
}

export function turnSpans({ turn, steps }: InspectedTurn, options: SpanOptions): readonly Span[] {
  const traceId = idOf(`trace ${turn.id}`, 16)
  const root = idOf(`turn ${turn.id}`, 8)
  const end = turn.endedAt ?? turn.startedAt
  const agent = turn.guest ?? turn.agent
  const below = { traceId, parentSpanId: root, turn: turn.id, end }
  return [
    {
      traceId,
      spanId: root,
      name: `invoke_agent ${agent}`,
      kind: INTERNAL,
      startTimeUnixNano: nanos(turn.startedAt),
      endTimeUnixNano: nanos(end),
      attributes: attributes({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        "gen_ai.conversation.id": options.conversation,
        "gen_ai.usage.input_tokens": turn.usage.inputTokens,
        "gen_ai.usage.output_tokens": turn.usage.outputTokens,
        "parlor.turn.id": turn.id,
        "parlor.turn.state": turn.state,
        "parlor.turn.steps": turn.steps,
        "parlor.turn.compaction": turn.compaction,
        "parlor.cost.dollars": turn.usage.costMicros / 1e6,
        ...(turn.error === null ? {} : { "error.type": turn.error.code }),
      }),
      status: statusOf(turn.error?.code),
    },
    ...steps.flatMap((step) => [
      ...step.attempts.map((attempt, index) => chatSpan(step, attempt, index, below, options)),
      ...step.tools.filter(({ startedAt }) => startedAt !== null).map((tool) => toolSpan(step, tool, below)),
    ]),
  ]
}

type Below = { readonly traceId: string; readonly parentSpanId: string; readonly turn: string; readonly end: number }

function chatSpan(
  step: InspectedStep,
  attempt: InspectedAttempt,
  index: number,
  { traceId, parentSpanId, turn, end }: Below,
  { content }: SpanOptions,
): Span {
  const { model, startedAt, firstAt, endedAt, usage, error } = attempt
  const [provider = "", name = provider] = model.includes("/") ? splitOnce(model) : ["parlor", model]
  return {
    traceId,
    spanId: idOf(`chat ${turn} ${step.number} ${index}`, 8),
    parentSpanId,
    name: `chat ${name}`,
    kind: CLIENT,
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(Math.max(startedAt, endedAt ?? end)),
    attributes: attributes({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name,
      ...(usage === null
        ? {}
        : {
            "gen_ai.usage.input_tokens": usage.inputTokens,
            "gen_ai.usage.output_tokens": usage.outputTokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens,
            "parlor.cost.dollars": usage.costMicros / 1e6,
          }),
      ...(firstAt === null ? {} : { "parlor.time_to_first_token.seconds": (firstAt - startedAt) / 1_000 }),
      "parlor.step": step.number,
      "parlor.attempt": index + 1,
      ...(endedAt === null ? { "parlor.interrupted": true } : {}),
      ...(error === null ? {} : { "error.type": "model.failed" }),
      ...(content ? contentOf(step) : {}),
    }),
    status: statusOf(error === null ? undefined : error),
  }
}

function toolSpan(step: InspectedStep, tool: InspectedTool, { traceId, parentSpanId, turn, end }: Below): Span {
  const { call, name, state, error, startedAt, endedAt } = tool
  const from = startedAt ?? end
  return {
    traceId,
    spanId: idOf(`tool ${turn} ${step.number} ${call}`, 8),
    parentSpanId,
    name: `execute_tool ${name}`,
    kind: INTERNAL,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(Math.max(from, endedAt ?? end)),
    attributes: attributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": call,
      "parlor.tool.state": state,
      "parlor.step": step.number,
      ...(error === null ? {} : { "error.type": error.code }),
    }),
    status: statusOf(error?.code),
  }
}

function contentOf({ prompt }: InspectedStep): Record<string, string> {
  if (prompt.request === null) return {}
  const { instructions, messages } = prompt.request
  return {
    "gen_ai.system_instructions": instructions.slice(0, MAX_CONTENT_CHARS),
    "gen_ai.input.messages": JSON.stringify(messages).slice(0, MAX_CONTENT_CHARS),
  }
}

function attributes(values: Readonly<Record<string, string | number | boolean>>): readonly Attribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: encoded(value) }))
}

function encoded(value: string | number | boolean): Value {
  if (typeof value === "string") return { stringValue: value }
  if (typeof value === "boolean") return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function statusOf(error: string | undefined): Span["status"] {
  return error === undefined ? { code: UNSET } : { code: ERROR, message: error.slice(0, MAX_MESSAGE_CHARS) }
}

function idOf(text: string, bytes: number): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, bytes * 2)
}

function nanos(ms: number): string {
  return `${Math.round(ms)}000000`
}

function splitOnce(model: string): [string, string] {
  const place = model.indexOf("/")
  return [model.slice(0, place), model.slice(place + 1)]
}
