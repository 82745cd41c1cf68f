/**
 * The open asks of a session, as its client can answer them.
 *
 *   open ──approval────────────▶ permission request ──allow, deny──▶ answered
 *     ├──question, form───────▶ elicitation ──filled in──▶ answered
 *     │                              └──declined──▶ in text
 *     └──the client cannot────▶ in text: the next prompt answers it
 *
 * An ask that is closed by another device cancels its request.
 */
import type { AgentContext, CreateElicitationRequest, RequestPermissionRequest } from "@agentclientprotocol/sdk"
import { acpAskText, acpForm, acpFormAnswer, acpPermissionOptions } from "@parlor/adapters"
import { type Answer, type Conversation, ParlorError } from "@parlor/client"
import type { AskRow } from "@parlor/protocol"

export type AskingParts = {
  readonly sessionId: string
  readonly conversation: Conversation
  readonly client: AgentContext
  readonly hasForms: boolean
  /** Shows the ask as text of the reply, and ends the prompts that wait for it. */
  readonly onText: (ask: AskRow, text: string) => Promise<void>
  readonly onError: (error: unknown) => void
}

type Open = { readonly ask: AskRow; readonly toolCallId: string | undefined; readonly request: AbortController }

export class Asking {
  readonly #parts: AskingParts
  readonly #open = new Map<string, Open>()
  readonly #requested = new Set<string>()
  #inText: AskRow | undefined

  constructor(parts: AskingParts) {
    this.#parts = parts
  }

  /** The question that the next prompt answers. */
  get inText(): AskRow | undefined {
    return this.#inText
  }

  opened(ask: AskRow, toolCallId: string | undefined): void {
    this.#open.set(ask.id, { ask, toolCallId, request: new AbortController() })
  }

  closed(id: string): void {
    this.#open.get(id)?.request.abort()
    this.#open.delete(id)
    this.#requested.delete(id)
    if (this.#inText?.id === id) this.#inText = undefined
  }

  /** Asks the client what is still open once everything available has been read. */
  async request(): Promise<void> {
    for (const [id, open] of this.#open) {
      if (this.#requested.has(id)) continue
      this.#requested.add(id)
      const form = this.#parts.hasForms ? acpForm(open.ask) : undefined
      if (open.ask.kind !== "approval" && form === undefined) await this.#askInText(open.ask)
      else void this.#send(open, form).catch((error: unknown) => this.#failed(open, error))
    }
  }

  close(): void {
    for (const { request } of this.#open.values()) request.abort()
    this.#open.clear()
  }

  async #send(open: Open, form: ReturnType<typeof acpForm>): Promise<void> {
    const answer = form === undefined ? await this.#permission(open) : await this.#elicitation(open, form)
    if (open.request.signal.aborted) return
    if (answer !== undefined) await this.#answer(open.ask, answer)
    else if (form !== undefined) await this.#askInText(open.ask)
  }

  /** Undefined if the prompt was cancelled meanwhile: then the turn ends, and the ask with it. */
  async #permission({ ask, toolCallId, request }: Open): Promise<Answer | undefined> {
    const { client, sessionId } = this.#parts
    const detail = ask.detail === "" ? {} : { content: [{ type: "content" as const, content: text(ask.detail) }] }
    const params: RequestPermissionRequest = {
      sessionId,
      toolCall: { toolCallId: toolCallId ?? ask.id, title: ask.title, ...detail },
      options: [...acpPermissionOptions],
    }
    const { outcome } = await client.request("session/request_permission", params, {
      cancellationSignal: request.signal,
      stopWaitingOnCancel: true,
    })
    return outcome.outcome === "selected" ? outcome.optionId === "allow" : undefined
  }

  async #elicitation({ ask, toolCallId, request }: Open, form: NonNullable<ReturnType<typeof acpForm>>) {
    const { client, sessionId } = this.#parts
    const scope = { sessionId, ...(toolCallId === undefined ? {} : { toolCallId }) }
    const reply = await client.request(
      "elicitation/create",
      { mode: "form", ...scope, ...form } as CreateElicitationRequest,
      { cancellationSignal: request.signal, stopWaitingOnCancel: true },
    )
    const { action, content } = reply as { readonly action: string; readonly content?: Record<string, unknown> | null }
    return action === "accept" ? (acpFormAnswer(ask, content ?? {}) as Answer) : undefined
  }

  async #answer(ask: AskRow, answer: Answer): Promise<void> {
    try {
      await this.#parts.conversation.answer(ask.id, answer)
    } catch (error) {
      if (error instanceof ParlorError && error.code === "ask.closed") return
      // The client filled in what the ask does not accept: it can still be answered in text.
      if (error instanceof ParlorError && error.code === "ask.invalid") await this.#askInText(ask)
      else throw error
    }
  }

  async #askInText(ask: AskRow): Promise<void> {
    if (!this.#open.has(ask.id)) return
    this.#inText = ask
    await this.#parts.onText(ask, acpAskText(ask))
  }

  /** A client that cannot be asked is asked in text. */
  async #failed({ ask, request }: Open, error: unknown): Promise<void> {
    if (request.signal.aborted) return
    this.#parts.onError(error)
    await this.#askInText(ask).catch(this.#parts.onError)
  }
}

function text(words: string) {
  return { type: "text" as const, text: words }
}
