/** Calls the model until it answers: again after a passing fault, then the fallback, then it is an error (TRN-10). */
import { addUsage, emptyUsage, type MessageRow, type Usage } from "@parlor/protocol"
import { carriesData, loadAttached, type Shelf, withoutData } from "../composer/attached.ts"
import type { Brief } from "../context/brief.ts"
import type { Noting } from "../inspector/noting.ts"
import type { Owner } from "../log/owner.ts"
import { ModelFault } from "../ports/model.ts"
import { type Replying, replyAfter, replyInPlaceOf } from "./begin-reply.ts"
import { callModel } from "./call-model.ts"
import { orStepHandedOver } from "./hand-over.ts"
import type { ModelAccess } from "./model-access.ts"
import { admit } from "./permit.ts"
import type { Reply } from "./reply.ts"
import { retryDelay } from "./retry.ts"
import { showRetrying, showRunning, spenderOf } from "./spender.ts"

export type Answered = {
  readonly reply: Reply
  /** Of all tries together. */
  readonly usage: Usage
  /** As the provider counted the request that was answered; 0 where it does not say. */
  readonly promptTokens: number
}

/** One step's words: who speaks, what it is shown, and who is told how it goes. */
export type ModelCall = Replying & {
  readonly owner: Owner
  readonly brief: Brief
  readonly history: readonly MessageRow[]
  /** What the step had said when it was cut off: the first that is said now takes its place. */
  readonly cut: MessageRow | undefined
  /** What the turn answers. */
  readonly message: MessageRow | undefined
  /** What the turn has loaded of attachments. */
  readonly shelf: Shelf
  /** Told of each reply, so that whoever breaks off knows what was said last. */
  readonly began: (reply: Reply | undefined) => void
  readonly noting: Noting
}

export async function tryModel(node: ModelAccess, call: ModelCall): Promise<Answered> {
  const { brief, history, message, began, noting } = call
  const { signal } = call.abort
  const { speaker } = brief
  const models = [speaker.model, ...(speaker.fallback ? [speaker.fallback] : [])]
  let ord = history.at(-1)?.ord ?? 0
  let { cut } = call
  let fault: ModelFault | undefined
  let spent = emptyUsage
  const spender = spenderOf(node, { ...call, agent: speaker.name, message })
  for (const model of models) {
    const { person } = call.owner.address
    let attached = await loadAttached(node.store, person, history, { window: model.window, shelf: call.shelf })
    for (let attempt = 1; ; attempt++) {
      const permit = await orStepHandedOver(node, brief, signal, admit(node, spender, signal))
      const reply = cut === undefined ? replyAfter(node, call, ord) : replyInPlaceOf(call, cut)
      began(reply)
      noting.begin(model, attached)
      try {
        const { stallMs, maxAnswerChars } = node.settings
        const host = call.owner.address.agent
        const step = {
          permit,
          brief,
          host,
          model,
          history,
          attached,
          reply,
          signal,
          clock: node.clock,
          stallMs,
          maxAnswerChars,
          noting,
        }
        const used = await callModel(step)
        noting.end(reply)
        return { reply, usage: addUsage(spent, used), promptTokens: used.inputTokens }
      } catch (error) {
        const broken = signal.aborted || !(error instanceof ModelFault)
        noting.end(reply, broken ? { broken } : { error })
        if (broken) throw error
        fault = error
        spent = addUsage(spent, reply.usage ?? emptyUsage)
        // It may be the attachments that it does not take: they would stand in the way of every turn from here on.
        if (!error.transient && !reply.started && carriesData(attached)) {
          attached = withoutData(attached)
          continue
        }
        const wait = waitBefore(node, attempt + 1, error)
        const isLast = wait === undefined && model === models.at(-1)
        if (isLast) throw error
        await abandon(call, reply)
        // Only now: what was held back because it could have become a tag is said in the end.
        if (reply.started) {
          ord = reply.ord
          cut = undefined
        }
        if (wait === undefined) break
        const { owner, turn } = call
        const shown = { attempt: attempt + 1, retryAt: node.clock.now() + wait }
        await showRetrying(node, owner, turn, { ...shown, error: { code: "model.failed", detail: error.message } })
        const waited = new Promise<void>((resolve) => void node.clock.after(wait, resolve))
        await orStepHandedOver(node, brief, signal, waited)
        await showRunning(node, owner, turn)
      }
    }
  }
  throw fault ?? new ModelFault("There is no model to ask.", { transient: false })
}

function waitBefore(node: ModelAccess, attempt: number, fault: ModelFault): number | undefined {
  return fault.transient ? retryDelay(attempt, node.settings.retry, node.random.next(), fault.retryAfterMs) : undefined
}

/** What a broken attempt said is kept, marked, and no model is shown it. From then on there is nothing to break off. */
async function abandon({ began, write }: ModelCall, reply: Reply): Promise<void> {
  const last = await reply.seal("failed")
  began(undefined)
  if (last.length > 0) await write(last)
}
