/** Tool output that was too long to show (TRN-11). Pure. */
import type { MessageRow } from "@parlor/protocol"

/** The tool that reads the rest of it. */
export const READ_OUTPUT = "read_output"

/** Offers `read_output` only if some output was cut. */
export function offeredTools<T extends { readonly name: string }>(
  tools: readonly T[],
  messages: readonly MessageRow[],
): readonly T[] {
  return hasCut(messages) ? tools : tools.filter((tool) => tool.name !== READ_OUTPUT)
}

function hasCut(messages: readonly MessageRow[]): boolean {
  for (const { parts } of messages)
    for (const part of parts) if (part.type === "tool" && part.kept !== undefined) return true
  return false
}
