/** One question to a model outside the conversation: returns the whole answer as text, and shows none of it. */
import { emptyUsage, type Usage } from "@parlor/protocol"
import { type Model, type ModelEvent, ModelFault, type ModelRequest } from "../ports/model.ts"
import { cleanText } from "../text/clean-json.ts"
import { usageOf } from "../usage/usage-of.ts"
import type { ModelAccess } from "./model-access.ts"
import { admit, type Spender } from "./permit.ts"
import { watchStall } from "./stall.ts"

export async function completion(
  node: ModelAccess,
  spender: Spender,
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: Usage }> {
  signal.throwIfAborted()
  const permit = await admit(node, spender, signal)
  const { clock, settings } = node
  const over = new AbortController()
  const stop = () => over.abort(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  let text = ""
  let usage = emptyUsage
  let lastEventAt = clock.now()
  const cancel = watchStall(
    clock,
    settings.stallMs,
    () => lastEventAt,
    (fault) => over.abort(fault),
  )
  const onEvent = (event: ModelEvent): void => {
    // An empty event does not show that the model is alive.
    const isEmpty = (event.type === "text" || event.type === "reasoning") && event.text === ""
    if (!isEmpty) lastEventAt = clock.now()
    if (event.type === "text") text += event.text
    else if (event.type === "finish") usage = usageOf(model, event.usage)
    if (text.length > settings.maxAnswerChars)
      over.abort(new ModelFault("The model's reply is too long and was stopped.", { transient: false }))
  }
  try {
    await permit.run(model, request, { signal: over.signal, onEvent })
    return { text: cleanText(text), usage }
  } finally {
    cancel()
    signal.removeEventListener("abort", stop)
  }
}
