import type { LiveConversation, LiveState } from "@parlor/client"
import type { Shared } from "./shared.ts"

/** Everything a live conversation does, as functions that need no `this`. */
export type Commands = Omit<LiveConversation, "getState" | "subscribe" | "close">

export function commandsOf(view: Shared<LiveState, LiveConversation>): Commands {
  const live = () => view.live()
  return {
    send: (message, options) => live().send(message, options),
    retrySend: (key) => live().retrySend(key),
    cancelSend: (key) => live().cancelSend(key),
    dismissSend: (key) => live().dismissSend(key),
    stop: (body) => live().stop(body),
    edit: (message, change) => live().edit(message, change),
    remove: (message) => live().remove(message),
    clearQueue: () => live().clearQueue(),
    sendNow: (message) => live().sendNow(message),
    lease: (message, options) => live().lease(message, options),
    hold: () => live().hold(),
    resume: () => live().resume(),
    answer: (ask, answer) => live().answer(ask, answer),
    answerOpen: (answer) => live().answerOpen(answer),
    loadOlder: (limit) => live().loadOlder(limit),
    reconnect: () => view.reconnect(),
  }
}
