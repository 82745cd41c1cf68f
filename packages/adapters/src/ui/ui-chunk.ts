/** The chunks of the AI SDK's UI message stream that Parlor sends. */
export type UiChunk =
  | { readonly type: "start"; readonly messageId: string; readonly messageMetadata?: unknown }
  | { readonly type: "finish"; readonly finishReason: "stop" | "tool-calls"; readonly messageMetadata?: unknown }
  | { readonly type: "abort"; readonly reason: string }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "start-step" | "finish-step" }
  /** Since version 7: retracts what the current step has shown. */
  | { readonly type: "reset-step" }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | {
      readonly type: "tool-input-available"
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly dynamic: true
      readonly providerExecuted: true
    }
  | { readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: "tool-output-available"
      readonly toolCallId: string
      readonly output: unknown
      readonly dynamic: true
      readonly providerExecuted: true
    }
  | {
      readonly type: "tool-output-error"
      readonly toolCallId: string
      readonly errorText: string
      readonly dynamic: true
      readonly providerExecuted: true
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  /** Since version 7. */
  | { readonly type: "steering-message"; readonly id: string; readonly parts: readonly UiUserPart[] }
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: unknown; readonly transient?: boolean }

export type UiUserPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly filename: string; readonly url: string }

/** Ends every stream. */
export const UI_DONE = "data: [DONE]\n\n"

export function uiFrame(chunk: UiChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
