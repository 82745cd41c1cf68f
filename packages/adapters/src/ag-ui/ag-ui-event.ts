/** The AG-UI events that Parlor sends, and their positions. */
import { parseOffset, type TurnEvent } from "@parlor/protocol"

export const AG_UI_VERSION = "1.0"

export type AgUiEvent =
  | {
      readonly type: "RUN_STARTED"
      readonly threadId: string
      readonly runId: string
      readonly protocolVersion: typeof AG_UI_VERSION
    }
  | {
      readonly type: "RUN_FINISHED"
      readonly threadId: string
      readonly runId: string
      readonly outcome:
        | { readonly type: "success" }
        | { readonly type: "cancelled" }
        | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] }
      readonly usage?: readonly AgUiUsage[]
    }
  | AgUiRunError
  | {
      readonly type: "TEXT_MESSAGE_START"
      readonly messageId: string
      readonly role: "assistant" | "user"
      readonly name?: string
    }
  | {
      readonly type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT"
      readonly messageId: string
      readonly delta: string
    }
  | {
      readonly type: "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END"
      readonly messageId: string
    }
  | { readonly type: "REASONING_MESSAGE_START"; readonly messageId: string; readonly role: "reasoning" }
  | {
      readonly type: "TOOL_CALL_START"
      readonly toolCallId: string
      readonly toolCallName: string
      readonly parentMessageId: string
    }
  | { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta: string }
  | { readonly type: "TOOL_CALL_END"; readonly toolCallId: string }
  | {
      readonly type: "TOOL_CALL_RESULT"
      readonly messageId: string
      readonly toolCallId: string
      readonly role: "tool"
      readonly content: string
    }
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly object[] }
  | { readonly type: "CUSTOM"; readonly name: string; readonly value: unknown }

export type AgUiRunError = { readonly type: "RUN_ERROR"; readonly message: string; readonly code?: string }

export type AgUiInterrupt = {
  readonly id: string
  readonly reason: "tool_call" | "confirmation" | "input_required"
  readonly message: string
  readonly toolCallId?: string
  readonly responseSchema?: object
  readonly expiresAt?: string
}

type AgUiUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  readonly cachedInputTokens: number
}

/** The position of an AG-UI event: the turn event it comes from, and its index among the events of that one. */
export type AgUiPlace = { readonly turn: string; readonly offset: string; readonly n: number; readonly k: number }

export function agUiFrame(event: AgUiEvent, place?: AgUiPlace): string {
  const id = place === undefined ? "" : `id: ${formatPlace(place)}\n`
  return `${id}data: ${JSON.stringify(event)}\n\n`
}

export function placeOf({ turn, offset, n }: TurnEvent, k: number): AgUiPlace {
  return { turn, offset, n, k }
}

/** Returns undefined if the text is not an event id. */
export function parsePlace(text: string): AgUiPlace | undefined {
  const [, turn, offset, n, k] = /^([^:]{1,64}):([0-9a-z_]{16,24}):(\d{1,6})\.(\d{1,6})$/.exec(text) ?? []
  if (turn === undefined || offset === undefined || typeof parseOffset(offset) !== "number") return undefined
  return { turn, offset, n: Number(n), k: Number(k) }
}

/** Negative if `a` comes before `b`. */
export function comparePlaces(a: AgUiPlace, b: AgUiPlace): number {
  return seqOf(a) - seqOf(b) || a.n - b.n || a.k - b.k
}

function seqOf({ offset }: AgUiPlace): number {
  return Number(parseOffset(offset))
}

function formatPlace({ turn, offset, n, k }: AgUiPlace): string {
  return `${turn}:${offset}:${n}.${k}`
}
