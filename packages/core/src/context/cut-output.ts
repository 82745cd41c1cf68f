/** Tool output that was too long to show (TRN-11). Pure. */
import type { MessageRow } from "@parlor/protocol"

/** The tool that reads on in it. */
export const READ_OUTPUT = "read_output"

/** It is offered where there is something to read on in. */
export function offeredTools<T extends { readonly name: string }>(
  tools: readonly T[],
  messages: readonly MessageRow[],
): readonly T[] {
  return hasCut(messages) ? tools : tools.filter((tool) => tool.name !== READ_OUTPUT)
}

function hasCut(messages: readonly MessageRow[]): boolean {
  return messages.some(({ parts }) => parts.some((part) => part.type === "tool" && part.kept !== undefined))
}
