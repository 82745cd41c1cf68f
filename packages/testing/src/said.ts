/** The replies of a scripted model, one entry per model call. */
import { type Json, ModelFault } from "@parlor/core"
import { finish, type Script, says } from "@parlor/core/testing"

export type Said =
  /** A text reply. */
  | string
  /** One tool call, or several in parallel. */
  | { readonly call: string; readonly input?: Json }
  | { readonly calls: readonly { readonly call: string; readonly input?: Json }[] }
  /** Individual events and gates. */
  | Script

export function scriptOf(said: Said): Script {
  if (typeof said === "string") return says(said)
  if ("calls" in said) return callScript(said.calls)
  if ("call" in said) return callScript([said])
  return said
}

/** A provider error. A transient one is retried automatically. */
export function fails(message: string, options: { readonly passing?: boolean } = {}): Script {
  return [new ModelFault(message, { transient: options.passing ?? false })]
}

function callScript(calls: readonly { readonly call: string; readonly input?: Json }[]): Script {
  const events = calls.map(
    ({ call, input = {} }, index) =>
      ({ type: "tool", call: `call_${index + 1}`, name: call, input: JSON.stringify(input) }) as const,
  )
  return [...events, finish("tools")]
}
