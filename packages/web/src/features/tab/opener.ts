/**
 * One place on the page where a conversation can be: in front, or beside it. Owns the one connection of that place, and
 * hands what comes in to `opening.ts`. What is asked for one opening is never listened to after it is over (TAB-3).
 */
import type { Conversation, LiveConversation, LiveOptions, LiveState } from "@parlor/client"
import { type Signal, signalOf } from "../keep/signal.ts"
import { closed, type Held, type Opening, type OpeningEvent, opening } from "./opening.ts"
import { markStep, type OpeningStep } from "./steps.ts"

export type Opened = Opening & { readonly live: LiveConversation | undefined }

/** What the desk does for whoever opens a conversation. */
export type OpenerDesk = {
  /** A number no other opening has. */
  begin(key: string, isFront: boolean): number
  painted(activation: number, isFront: boolean, live: LiveConversation): void
  changed(key: string, state: LiveState, isFront: boolean): void
  end(key: string, activation: number, state: LiveState | undefined, isFront: boolean): void
  heldFor(key: string): Held | undefined
  keptFor(key: string): Promise<Held | undefined>
}

const nothing: Opened = { ...closed, live: undefined }

export class Opener {
  readonly #desk: OpenerDesk
  readonly #shown: Signal<Opened> = signalOf(nothing)

  constructor(desk: OpenerDesk) {
    this.#desk = desk
  }

  readonly get = (): Opened => this.#shown.get()
  readonly subscribe = (listener: () => void): (() => void) => this.#shown.subscribe(listener)

  /** Opens it until what is returned is called. */
  open(conversation: Conversation, isFront: boolean, options: LiveOptions = {}): () => void {
    const desk = this.#desk
    const key = `${conversation.agent}/${conversation.branch}`
    const activation = desk.begin(key, isFront)
    if (isFront) markStep("open", key, activation)
    const live = conversation.live(options)
    const held = desk.heldFor(key)
    const step = (name: OpeningStep) =>
      isFront && afterPaint(() => this.get().activation === activation && markStep(name, key, activation))
    this.#shown.set({ ...opening(this.get(), { type: "opened", key, activation, held }), live })
    step("shell")
    if (held !== undefined) step("snapshot")
    else
      void desk.keptFor(key).then((kept) => {
        if (kept !== undefined && this.#take({ type: "kept", activation, kept })) step("snapshot")
      })
    const hear = () => {
      const isFirst = this.get().from !== "live"
      this.#take({ type: "news", activation, state: live.getState() })
      const shown = this.get()
      if (shown.activation !== activation || shown.from !== "live") return
      if (isFirst) afterPaint(() => desk.painted(activation, isFront, live))
      if (live.getState().phase === "ready") desk.changed(key, live.getState(), isFront)
    }
    const leave = live.subscribe(hear)
    return () => {
      leave()
      const last = live.getState()
      live.close()
      desk.end(key, activation, last.phase === "ready" ? last : undefined, isFront)
    }
  }

  /** Whether it changed anything. */
  #take(event: OpeningEvent): boolean {
    const { live, ...shown } = this.get()
    const next = opening(shown, event)
    if (next === shown) return false
    this.#shown.set({ ...next, live })
    return true
  }
}

/** When the browser has drawn what was just decided; a hidden page draws nothing, and is not waited for. */
function afterPaint(run: () => void): void {
  if (document.visibilityState === "hidden") run()
  else requestAnimationFrame(() => setTimeout(run))
}
