/** Stored messages as the updates that replay them, oldest first. */
import type { MessageRow, Part, SlashCommandRow } from "@parlor/protocol"
import { type AcpFiles, acpCall, acpOutcome, diffsInInput } from "./acp-tools.ts"
import { type AcpCommand, type AcpContent, type AcpUpdate, acpText } from "./acp-update.ts"

/** Rolled-back messages and abandoned attempts are left out. */
export function acpMessages(messages: readonly MessageRow[], files: AcpFiles): readonly AcpUpdate[] {
  const shown = messages.filter((message) => !message.dimmed)
  return shown.flatMap((message, index) => {
    if (message.role === "person") return acpQuestion(message)
    const next = shown[index + 1]
    if (message.state === "failed" && next?.role === "agent" && next.turn === message.turn) return []
    return message.parts.flatMap((part) => replyPart(message, part, files))
  })
}

/** A person's message: its text and its attachments. */
export function acpQuestion({ id, parts }: Pick<MessageRow, "id" | "parts">): readonly AcpUpdate[] {
  return parts.flatMap((part): AcpUpdate[] => {
    const content = questionPart(part)
    return content === undefined ? [] : [{ sessionUpdate: "user_message_chunk", messageId: id, content }]
  })
}

export function acpCommands(commands: readonly SlashCommandRow[]): AcpUpdate {
  const availableCommands = commands.map(({ name, description, arguments: needs }): AcpCommand => {
    const hint = needs.map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`)).join(" ")
    return { name, description, ...(hint === "" ? {} : { input: { hint } }) }
  })
  return { sessionUpdate: "available_commands_update", availableCommands }
}

function questionPart(part: Part): AcpContent | undefined {
  if (part.type === "text") return acpText(part.text)
  if (part.type !== "attachment") return undefined
  const { name, mediaType, hash } = part
  return { type: "resource_link", name, mimeType: mediaType, uri: `parlor:/v1/attachments/${hash}` }
}

function replyPart({ id }: MessageRow, part: Part, files: AcpFiles): readonly AcpUpdate[] {
  if (part.type === "text" || part.type === "reasoning") {
    if (part.text === "") return []
    const sessionUpdate = part.type === "text" ? "agent_message_chunk" : "agent_thought_chunk"
    return [{ sessionUpdate, messageId: id, content: acpText(part.text) }]
  }
  if (part.type !== "tool") return []
  const { state } = part
  const call = acpCall({ message: id, ...part }, files)
  if (state === "waiting" || state === "started") return [{ sessionUpdate: "tool_call", ...call }]
  const outcome = acpOutcome({ ...part, state })
  const content = [...(outcome.content ?? []), ...diffsInInput(part, files)]
  return [{ sessionUpdate: "tool_call", ...call, ...outcome, content }]
}
