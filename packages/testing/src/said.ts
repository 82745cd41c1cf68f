/** What a scripted model says, one entry for each time it is asked, in the shortest form that will do. */
import { type Json, ModelFault } from "@parlor/core"
import { finish, type Script, says } from "@parlor/core/testing"

export type Said =
  /** A text, then the end. */
  | string
  /** One tool, or several at once. */
  | { readonly call: string; readonly input?: Json }
  | { readonly calls: readonly { readonly call: string; readonly input?: Json }[] }
  /** Events and gates, one by one. */
  | Script

export function scriptOf(said: Said): Script {
  if (typeof said === "string") return says(said)
  if ("calls" in said) return callScript(said.calls)
  if ("call" in said) return callScript([said])
  return said
}

/** A fault of the provider. One that passes is tried again by itself. */
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
