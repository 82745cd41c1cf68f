import type { AnswerOf, BodyInputOf, Delivered, HookView } from "@parlor/protocol"
import type { Http } from "./http.ts"
import { makeKey } from "./key.ts"

export type HookWithFirings = AnswerOf<"openHook">

/** Webhooks with which other programs wake agents. */
export class Hooks {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Oldest first, each with its last delivery. */
  async list(): Promise<readonly HookView[]> {
    const { hooks } = await this.#http.ask("listHooks")
    return hooks
  }

  /** With its last deliveries and their results. */
  open(id: string): Promise<HookWithFirings> {
    return this.#http.ask("openHook", { params: { id } })
  }

  /** The response contains the secret with which deliveries are signed. It is not shown again. */
  make(body: BodyInputOf<"makeHook">): Promise<AnswerOf<"makeHook">> {
    return this.#http.ask("makeHook", { body, repeating: "if-undone" })
  }

  change(id: string, body: BodyInputOf<"changeHook">): Promise<HookView> {
    return this.#http.ask("changeHook", { params: { id }, body })
  }

  pause(id: string): Promise<HookView> {
    return this.change(id, { paused: true })
  }

  resume(id: string): Promise<HookView> {
    return this.change(id, { paused: false })
  }

  /** Creates a new secret, shown once. The previous one is accepted for another day. */
  async rotate(id: string): Promise<string> {
    const { secret } = await this.#http.ask("rotateHook", { params: { id }, repeating: "if-undone" })
    return secret
  }

  /** Acts as if the webhook had been called with this body. */
  fire(id: string, body: unknown = {}, options: { readonly key?: string } = {}): Promise<Delivered> {
    const raw = { type: "application/json", body: JSON.stringify(body) }
    const headers = { "idempotency-key": options.key ?? makeKey() }
    return this.#http.ask("fireHook", { params: { id }, raw, headers })
  }

  async delete(id: string): Promise<void> {
    await this.#http.ask("deleteHook", { params: { id } })
  }
}
