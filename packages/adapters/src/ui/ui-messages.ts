/** Stored messages as the AI SDK's UI messages: what `useChat` starts with. One turn is one assistant message. */
import type { AskRow, MessageRow, Part, ToolPart } from "@parlor/protocol"
import type { UiUserPart } from "./ui-chunk.ts"
import { deniedCodes, outcomeUnknown, userParts } from "./ui-parts.ts"
import { clientIdOf } from "./ui-request.ts"

export type UiMessage = {
  readonly id: string
  readonly role: "user" | "assistant"
  readonly parts: readonly UiPart[]
}

export type UiPart =
  | UiUserPart
  | { readonly type: "step-start" }
  | { readonly type: "reasoning"; readonly text: string; readonly state: "streaming" | "done" }
  | ({ readonly type: "dynamic-tool"; readonly toolName: string; readonly toolCallId: string } & UiToolState)
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: unknown }

type UiToolState = { readonly input: unknown; readonly providerExecuted: true } & (
  | { readonly state: "input-available" }
  | { readonly state: "approval-requested"; readonly approval: { readonly id: string } }
  | { readonly state: "output-available"; readonly output: unknown }
  | { readonly state: "output-error"; readonly errorText: string }
  | { readonly state: "output-denied"; readonly approval: { readonly id: string; readonly approved: false } }
)

/** `messages` in conversation order; rolled-back messages and abandoned attempts are left out. */
export function uiMessages(messages: readonly MessageRow[], asks: readonly AskRow[]): readonly UiMessage[] {
  const open = new Map(asks.filter(({ state }) => state === "open").map((ask) => [ask.call, ask]))
  const listed: { id: string; role: UiMessage["role"]; parts: UiPart[] }[] = []
  const shown = messages.filter((message) => !message.dimmed)
  for (const [index, message] of shown.entries()) {
    if (message.role === "person") {
      listed.push({ id: clientIdOf(message) ?? message.id, role: "user", parts: [...userParts(message)] })
      continue
    }
    const next = shown[index + 1]
    if (message.state === "failed" && next?.role === "agent" && next.turn === message.turn) continue
    const id = message.turn ?? message.id
    const parts: UiPart[] = [{ type: "step-start" }, ...message.parts.flatMap((part) => assistantPart(part, open))]
    const last = listed.at(-1)
    if (last?.role === "assistant" && last.id === id) last.parts.push(...parts)
    else listed.push({ id, role: "assistant", parts })
  }
  return listed
}

function assistantPart(part: Part, open: ReadonlyMap<string | null, AskRow>): readonly UiPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }]
    case "reasoning":
      return [{ type: "reasoning", text: part.text, state: "done" }]
    case "tool":
      return toolPart(part, open.get(part.call))
    case "notice":
      return [{ type: "data-notice", data: { code: part.code, text: part.text } }]
    case "attachment":
    case "context":
      return []
  }
}

function toolPart(part: ToolPart, ask: AskRow | undefined): readonly UiPart[] {
  const state = toolState(part, ask)
  const tool: UiPart = { type: "dynamic-tool", toolName: part.name, toolCallId: part.call, ...state }
  if (ask === undefined || ask.kind === "approval") return [tool]
  const { id, kind, title, detail, options, schema } = ask
  return [tool, { type: "data-ask", id, data: { kind, title, detail, options, schema } }]
}

function toolState({ call, state, input, output, error }: ToolPart, ask: AskRow | undefined): UiToolState {
  const given = { input, providerExecuted: true } as const
  if (state === "done") return { ...given, state: "output-available", output }
  if (state === "waiting" || state === "started")
    return ask?.kind === "approval"
      ? { ...given, state: "approval-requested", approval: { id: ask.id } }
      : { ...given, state: "input-available" }
  if (error !== null && deniedCodes.has(error.code))
    return { ...given, state: "output-denied", approval: { id: call, approved: false } }
  return { ...given, state: "output-error", errorText: error?.detail ?? outcomeUnknown }
}
