/** Tool output that was too long to show (TRN-11). Pure. */
import type { MessageRow } from "@parlor/protocol"
import type { Tool } from "../agent/tool.ts"

/** The tool that reads on in it. */
export const READ_OUTPUT = "read_output"

/** It is offered where there is something to read on in. */
export function offeredTools(tools: readonly Tool[], messages: readonly MessageRow[]): readonly Tool[] {
  return hasCut(messages) ? tools : tools.filter((tool) => tool.name !== READ_OUTPUT)
}

function hasCut(messages: readonly MessageRow[]): boolean {
  return messages.some(({ parts }) => parts.some((part) => part.type === "tool" && part.kept !== undefined))
}
