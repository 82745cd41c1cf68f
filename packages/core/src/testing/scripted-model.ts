/**
 * A model that follows a script: for tests without a network and without an API key.
 *
 * Each call takes the next entry, a list of events and gates; a gate holds the model until the test opens it.
 */
import { emptyUsage, type Usage } from "@parlor/protocol"
import type { FinishReason, Model, ModelEvent, ModelRequest } from "../ports/model.ts"

export type Gate = { readonly opened: Promise<void>; open(): void }
export type ScriptStep = ModelEvent | Gate | Error
export type Script = readonly ScriptStep[]

export type ScriptedModel = Model & { readonly requests: ModelRequest[] }

export function scriptedModel(
  scripts: readonly Script[],
  options: { window?: number; fallback?: Script } = {},
): ScriptedModel {
  const requests: ModelRequest[] = []
  const left = [...scripts]
  return {
    name: "scripted",
    window: options.window ?? 100_000,
    requests,
    async run(request, { signal, onEvent }) {
      requests.push(request)
      const script = left.shift() ?? options.fallback
      if (script === undefined) throw new Error("the script has no answer left")
      for (const step of script) {
        if ("opened" in step) await step.opened
        else if (step instanceof Error) throw step
        else onEvent(step)
        if (signal.aborted) throw signal.reason
        await Promise.resolve()
      }
    },
  }
}

/** The usual reply: some text, then the end. */
export function says(text: string, usage: Usage = emptyUsage): Script {
  const words = text.match(/\S+\s*/g) ?? []
  return [...words.map((word) => ({ type: "text", text: word }) as const), finish("stop", usage)]
}

export function calls(name: string, input: unknown, call = "call_1"): Script {
  return [{ type: "tool", call, name, input: JSON.stringify(input) }, finish("tools")]
}

export function finish(reason: FinishReason = "stop", usage: Usage = emptyUsage): ModelEvent {
  return { type: "finish", reason, usage }
}

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
