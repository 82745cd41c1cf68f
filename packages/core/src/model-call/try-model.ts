/** Calls the model until it replies: retries a transient fault, then tries the fallbacks, then fails (TRN-10, MOD-11). */
import { addUsage, emptyUsage, type MessageRow, type Usage } from "@parlor/protocol"
import { fallbacksOf } from "../agent/choose-model.ts"
import { carriesData, loadAttached, type Shelf, withoutData } from "../composer/attached.ts"
import type { Brief } from "../context/brief.ts"
import { type ReturnTo, returnsReasoning } from "../context/returned.ts"
import type { Noting } from "../inspector/noting.ts"
import type { Owner } from "../log/owner.ts"
import { ModelFault } from "../ports/model.ts"
import { type Replying, replyAfter, replyInPlaceOf } from "./begin-reply.ts"
import { callModel } from "./call-model.ts"
import { faultNote } from "./fault-note.ts"
import { orStepHandedOver } from "./hand-over.ts"
import type { ModelAccess } from "./model-access.ts"
import { admit } from "./permit.ts"
import type { Reply } from "./reply.ts"
import { retryDelay } from "./retry.ts"
import { showRetrying, showRunning, spenderOf } from "./spender.ts"

export type Answered = {
  readonly reply: Reply
  /** Usage of all attempts together. */
  readonly usage: Usage
  /** The provider's count for the request that was answered; 0 if it does not report one. */
  readonly promptTokens: number
}

/** The model call of one step: who speaks, what it is shown, and who follows its progress. */
export type ModelCall = Replying & {
  readonly owner: Owner
  readonly brief: Brief
  readonly history: readonly MessageRow[]
  /** The reply of the interrupted step: the first new text replaces it. */
  readonly cut: MessageRow | undefined
  /** The message the turn answers. */
  readonly message: MessageRow | undefined
  /** Attachments the turn has loaded. */
  readonly shelf: Shelf
  /** Whose reasoning the requests return, whichever model they go to (MOD-7). */
  readonly returnTo: Omit<ReturnTo, "model">
  readonly returning: Returning
  /** Called with each reply, so that a stop knows the latest one. */
  readonly began: (reply: Reply | undefined) => void
  readonly noting: Noting
}

/** For one turn: whether a provider has refused its own reasoning. */
export type Returning = { isRefused: boolean }

export async function tryModel(node: ModelAccess, call: ModelCall): Promise<Answered> {
  const { brief, history, message, began, noting } = call
  const { signal } = call.abort
  const { speaker } = brief
  const models = [speaker.model, ...fallbacksOf(speaker)]
  let ord = history.at(-1)?.ord ?? 0
  let { cut } = call
  let fault: ModelFault | undefined
  let spent = emptyUsage
  const spender = spenderOf(node, { owner: call.owner, turn: call.turn, agent: speaker.name, message })
  for (const model of models) {
    const { person } = call.owner.address
    let attached = await loadAttached(node.store.blobs, person, history, { window: model.window, shelf: call.shelf })
    for (let attempt = 1; ; attempt++) {
      const permit = await orStepHandedOver(node, brief, signal, admit(node, spender, signal))
      const reply = cut === undefined ? replyAfter(node, call, ord, model.name) : replyInPlaceOf(call, cut, model.name)
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
          returnTo: call.returning.isRefused ? undefined : { model: model.name, ...call.returnTo },
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
        if (isRefusal(error, reply)) {
          // The provider may no longer accept its own reasoning: the rest of the turn does without it (MOD-8).
          if (!call.returning.isRefused && returnsReasoning(history, { model: model.name, ...call.returnTo })) {
            call.returning.isRefused = true
            continue
          }
          // The model may not support the attachments: then they would block every later turn.
          if (carriesData(attached)) {
            attached = withoutData(attached)
            continue
          }
        }
        const wait = waitBefore(node, attempt + 1, error)
        const isLast = wait === undefined && model === models.at(-1)
        if (isLast) throw error
        await abandon(call, reply)
        // Only now: text held back as a possible tag is released at the end.
        if (reply.started) {
          ord = reply.ord
          cut = undefined
        }
        if (wait === undefined) break
        const { owner, turn } = call
        const shown = { attempt: attempt + 1, retryAt: node.clock.now() + wait }
        await showRetrying(node, owner, turn, { ...shown, error: faultNote(error) })
        const waited = new Promise<void>((resolve) => void node.clock.after(wait, resolve))
        await orStepHandedOver(node, brief, signal, waited)
        await showRunning(node, owner, turn)
      }
    }
  }
  throw fault ?? new ModelFault("No model is configured.", { transient: false })
}

/** The request as it is was turned down. A missing quota or a wrong key would turn any request down. */
function isRefusal(fault: ModelFault, reply: Reply): boolean {
  return !fault.transient && fault.kind === undefined && !reply.started
}

function waitBefore(node: ModelAccess, attempt: number, fault: ModelFault): number | undefined {
  return fault.transient ? retryDelay(attempt, node.settings.retry, node.random.next(), fault.retryAfterMs) : undefined
}

/** The text of a failed attempt is kept, marked, and never shown to a model. Afterwards there is nothing to abort. */
async function abandon({ began, write }: ModelCall, reply: Reply): Promise<void> {
  const last = await reply.seal("failed")
  began(undefined)
  if (last.length > 0) await write(last)
}
