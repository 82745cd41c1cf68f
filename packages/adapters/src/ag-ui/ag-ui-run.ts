/**
 * Maps turn events to AG-UI events.
 *
 *   RUN_STARTED ─▶ text, reasoning, tools ─┬─▶ RUN_FINISHED: success, cancelled; or RUN_ERROR
 *        ▲                                 └─▶ RUN_FINISHED: interrupt   (an ask was opened)
 *        └───────── the ask was closed ◀────────────┘
 *
 * A run ends at an ask, and another run continues after it, so a turn has one or more runs. The events of a turn depend
 * only on its log and the run's id; a stream is a section of them, from a position to the end of a run.
 */
import { type AskRow, parseOffset, type TurnEvent } from "@parlor/protocol"
import { AttemptText } from "../attempt-text.ts"
import { callIdOf } from "../call-id.ts"
import { deniedCodes, outcomeUnknown } from "../ui/ui-parts.ts"
import { clientIdOf } from "../ui/ui-request.ts"
import {
  AG_UI_VERSION,
  type AgUiEvent,
  type AgUiInterrupt,
  type AgUiPlace,
  comparePlaces,
  placeOf,
} from "./ag-ui-event.ts"

export type AgUiRunOptions = {
  readonly threadId: string
  readonly runId: string
  /** Begins after this event. */
  readonly after?: AgUiPlace | undefined
  /** Begins with the run that continues after this ask. */
  readonly afterAsk?: string | undefined
  /** The whole turn as one run that has already started: asks that are closed by now do not end it. */
  readonly whole?: { readonly isClosed: (ask: string, seq: number) => boolean } | undefined
}

export type AgUiPlaced = { readonly event: AgUiEvent; readonly place: AgUiPlace }

export class AgUiRun {
  readonly #options: AgUiRunOptions
  readonly #attempt = new AttemptText()
  /** The text message and the reasoning that are open. */
  #text: string | undefined
  #reasoning: string | undefined
  #author = ""
  /** Which message made each call of the turn, by the model's id. */
  readonly #calls = new Map<string, string>()
  #guestsNext: readonly string[] = []
  #isStarted = false
  #isSkipping: boolean
  #ended = false

  constructor(options: AgUiRunOptions) {
    this.#options = options
    this.#isSkipping = options.afterAsk !== undefined
  }

  get ended(): boolean {
    return this.#ended
  }

  read(turnEvent: TurnEvent): readonly AgUiPlaced[] {
    if (this.#ended) return []
    const { after, afterAsk } = this.#options
    const placed = this.#map(turnEvent).map((event, k) => ({ event, place: placeOf(turnEvent, k) }))
    if (turnEvent.type === "ask-closed" && turnEvent.ask.id === afterAsk) this.#isSkipping = false
    if (this.#isSkipping) return []
    const shown = after === undefined ? placed : placed.filter(({ place }) => comparePlaces(place, after) > 0)
    // The client already has the end of its run, so there is nothing to continue.
    const last = after === undefined ? undefined : placed.find(({ place }) => comparePlaces(place, after) === 0)
    this.#ended = [...shown, ...(last === undefined ? [] : [last])].some(({ event }) => endsRun(event))
    return shown
  }

  #map(event: TurnEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "turn-started":
        this.#guestsNext = event.guestsNext
        return this.#start()
      case "turn-ended":
        return [...this.#close(), ...this.#end(event)]
      case "step-started":
        this.#attempt.startStep(event.message)
        this.#author = event.author
        return this.#close()
      case "attempt-reset":
        this.#attempt.reset()
        return this.#close()
      case "text-delta":
        return event.kind === "text" ? this.#textDelta(event) : this.#reasoningDelta(event)
      case "text-ended":
        return this.#close()
      case "tool-input":
        this.#calls.set(event.call, event.message)
        return [...this.#close(), ...toolCall(event)]
      case "tool-output":
        return [toolResult(event)]
      case "ask-opened":
        return this.#interrupt(event)
      case "ask-closed":
        return this.#options.whole === undefined ? this.#restart() : []
      case "steering-message":
        return this.#steering(event)
      case "notice":
        return [{ type: "CUSTOM", name: "parlor.notice", value: { code: event.code, text: event.text } }]
      case "retrying": {
        const { attempt, retryAt } = event
        return [{ type: "CUSTOM", name: "parlor.retrying", value: { attempt, retryAt } }]
      }
      case "step-ended":
      case "text-started":
      case "tool-started":
        return []
    }
  }

  /** Guests answer in separate turns, within the same run. */
  #start(): readonly AgUiEvent[] {
    if (this.#isStarted || this.#options.whole !== undefined) return []
    return this.#restart()
  }

  #restart(): readonly AgUiEvent[] {
    this.#isStarted = true
    const { threadId, runId } = this.#options
    return [{ type: "RUN_STARTED", threadId, runId, protocolVersion: AG_UI_VERSION }]
  }

  #end({ state, error, usage }: Extract<TurnEvent, { type: "turn-ended" }>): readonly AgUiEvent[] {
    if (state === "done" && this.#guestsNext.length > 0) return []
    if (state === "failed" || state === "interrupted")
      return [
        {
          type: "RUN_ERROR",
          message: error?.detail ?? "The turn was interrupted.",
          code: error?.code ?? "turn.interrupted",
        },
      ]
    const { inputTokens, outputTokens, reasoningTokens, cachedTokens } = usage
    return [
      {
        ...this.#finished(),
        outcome: { type: state === "done" ? "success" : "cancelled" },
        usage: [{ inputTokens, outputTokens, reasoningTokens, cachedInputTokens: cachedTokens }],
      },
    ]
  }

  #interrupt({ ask, offset }: Extract<TurnEvent, { type: "ask-opened" }>): readonly AgUiEvent[] {
    if (this.#options.whole?.isClosed(ask.id, Number(parseOffset(offset)))) return []
    const outcome = { type: "interrupt", interrupts: [interruptOf(ask, this.#calls.get(ask.call ?? ""))] } as const
    return [...this.#close(), { ...this.#finished(), outcome }]
  }

  #finished() {
    const { threadId, runId } = this.#options
    return { type: "RUN_FINISHED", threadId, runId } as const
  }

  #textDelta({ message, text }: Extract<TurnEvent, { type: "text-delta" }>): readonly AgUiEvent[] {
    const piece = this.#attempt.next(message, text)
    if (piece.text === "") return []
    const content = { type: "TEXT_MESSAGE_CONTENT", messageId: piece.id, delta: piece.text } as const
    if (this.#text === piece.id) return [content]
    const closed = this.#close()
    this.#text = piece.id
    const name = this.#author === "" ? {} : { name: this.#author }
    return [...closed, { type: "TEXT_MESSAGE_START", messageId: piece.id, role: "assistant", ...name }, content]
  }

  #reasoningDelta({ message, part, text }: Extract<TurnEvent, { type: "text-delta" }>): readonly AgUiEvent[] {
    const messageId = `${message}.${part}.reasoning`
    const content = { type: "REASONING_MESSAGE_CONTENT", messageId, delta: text } as const
    if (this.#reasoning === messageId) return [content]
    const closed = this.#close()
    this.#reasoning = messageId
    return [
      ...closed,
      { type: "REASONING_START", messageId },
      { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
      content,
    ]
  }

  #close(): readonly AgUiEvent[] {
    const [text, reasoning] = [this.#text, this.#reasoning]
    this.#text = undefined
    this.#reasoning = undefined
    return [
      ...(text === undefined ? [] : [{ type: "TEXT_MESSAGE_END", messageId: text } as const]),
      ...(reasoning === undefined
        ? []
        : ([
            { type: "REASONING_MESSAGE_END", messageId: reasoning },
            { type: "REASONING_END", messageId: reasoning },
          ] as const)),
    ]
  }

  #steering({ message }: Extract<TurnEvent, { type: "steering-message" }>): readonly AgUiEvent[] {
    const messageId = clientIdOf(message) ?? message.id
    const delta = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    if (delta === "") return []
    return [
      ...this.#close(),
      { type: "TEXT_MESSAGE_START", messageId, role: "user" },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
      { type: "TEXT_MESSAGE_END", messageId },
    ]
  }
}

function toolCall({ message, call, name, input }: Extract<TurnEvent, { type: "tool-input" }>): readonly AgUiEvent[] {
  const toolCallId = callIdOf(message, call)
  return [
    { type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId: message },
    { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(input) },
    { type: "TOOL_CALL_END", toolCallId },
  ]
}

function toolResult({ message, call, ...outcome }: Extract<TurnEvent, { type: "tool-output" }>): AgUiEvent {
  const toolCallId = callIdOf(message, call)
  const content = agUiResult(outcome)
  return { type: "TOOL_CALL_RESULT", messageId: `${toolCallId}.result`, toolCallId, role: "tool", content }
}

export function agUiResult({
  state,
  output,
  error,
}: Pick<Extract<TurnEvent, { type: "tool-output" }>, "state" | "output" | "error">): string {
  if (state === "done") return typeof output === "string" ? output : JSON.stringify(output)
  const reason = error?.detail ?? outcomeUnknown
  return error !== null && deniedCodes.has(error.code) ? `Denied: ${reason}` : `Error: ${reason}`
}

function interruptOf(ask: AskRow, message: string | undefined): AgUiInterrupt {
  const { id, kind, title, detail, call, expiresAt } = ask
  const toolCallId = call === null || message === undefined ? undefined : callIdOf(message, call)
  const isOfTool = kind === "approval" && toolCallId !== undefined
  const responseSchema = schemaOf(ask)
  return {
    id,
    reason: isOfTool ? "tool_call" : kind === "approval" ? "confirmation" : "input_required",
    message: detail === "" ? title : `${title}\n${detail}`,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(responseSchema === undefined ? {} : { responseSchema }),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  }
}

function schemaOf({ kind, options, schema }: AskRow): object | undefined {
  if (kind === "approval") return objectOf("approved", { type: "boolean" })
  if (kind === "question") return objectOf("answer", { type: "string", ...(options === null ? {} : { enum: options }) })
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) ? schema : undefined
}

function objectOf(name: string, field: object): object {
  return { type: "object", properties: { [name]: field }, required: [name] }
}

function endsRun({ type }: AgUiEvent): boolean {
  return type === "RUN_FINISHED" || type === "RUN_ERROR"
}
