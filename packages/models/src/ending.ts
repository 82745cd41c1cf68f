/**
 * The end of an answer, for every adapter: its tool calls, then the finish.
 *
 * Calls are held back until here, so that an answer that breaks off calls nothing. An answer that was truncated by its
 * length or a filter may contain a partial call, so it calls nothing either. Otherwise the calls determine the reason,
 * because some servers report `stop` along with calls.
 */
import type { FinishReason, ModelEvent } from "@parlor/core"
import type { TokenCounts } from "@parlor/protocol"

export type ToolEvent = Extract<ModelEvent, { type: "tool" }>

export function emitEnding(
  emit: (event: ModelEvent) => void,
  ending: { readonly calls: readonly ToolEvent[]; readonly reason: FinishReason; readonly usage: TokenCounts },
): void {
  const { calls, reason, usage } = ending
  const cut = reason === "length" || reason === "filter"
  if (!cut) for (const call of calls) emit(call)
  emit({ type: "finish", reason: cut || calls.length === 0 ? reason : "tools", usage })
}

/** A tool without parameters is often called with no input at all. */
export function inputOrEmpty(input: string): string {
  return input.trim() === "" ? "{}" : input
}
