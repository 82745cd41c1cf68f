/** The session updates of the Agent Client Protocol that Parlor sends. */
import type { AcpConfigOption } from "./acp-models.ts"

export type AcpUpdate =
  | {
      readonly sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk"
      readonly messageId: string
      readonly content: AcpContent
    }
  | ({ readonly sessionUpdate: "tool_call"; readonly title: string } & AcpToolCall)
  | ({ readonly sessionUpdate: "tool_call_update" } & AcpToolCall)
  | { readonly sessionUpdate: "available_commands_update"; readonly availableCommands: AcpCommand[] }
  | { readonly sessionUpdate: "session_info_update"; readonly title: string; readonly updatedAt: string }
  | {
      readonly sessionUpdate: "usage_update"
      readonly used: number
      readonly size: number
      readonly cost?: { readonly amount: number; readonly currency: "USD" }
    }
  | { readonly sessionUpdate: "config_option_update"; readonly configOptions: AcpConfigOption[] }
  | {
      readonly sessionUpdate: "notice"
      readonly severity: "info" | "warning"
      readonly title: string
      readonly description?: string
    }

export type AcpContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "resource_link"; readonly name: string; readonly uri: string; readonly mimeType: string }

export type AcpToolCall = {
  readonly toolCallId: string
  readonly name?: string
  readonly kind?: AcpToolKind
  readonly status?: "pending" | "in_progress" | "completed" | "failed"
  readonly content?: AcpToolContent[]
  readonly locations?: { readonly path: string }[]
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
}
export type AcpToolKind = "read" | "edit" | "delete" | "move" | "search" | "think" | "other"

export type AcpToolContent = { readonly type: "content"; readonly content: AcpContent } | AcpDiff

/** The text of a file before and after a change; null if there was no file. */
export type AcpDiff = {
  readonly type: "diff"
  readonly path: string
  readonly oldText: string | null
  readonly newText: string
}

export type AcpCommand = {
  readonly name: string
  readonly description: string
  readonly input?: { readonly hint: string }
}

export function acpText(text: string): AcpContent {
  return { type: "text", text }
}
