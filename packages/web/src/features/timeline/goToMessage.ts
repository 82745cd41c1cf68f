/**
 * Going to a message that the address names. Older pages are loaded until it is there: as many as it takes, up to a
 * bound, and no more once one has gone elsewhere.
 */
import type { LiveConversation } from "@parlor/client"

const PAGE = 200
/** Further back than this one goes by the button, page by page. */
export const MOST_PAGES = 50

export type Going =
  /** How many messages are there by now. */
  | { readonly kind: "looking"; readonly loaded: number }
  | { readonly kind: "there"; readonly message: string }
  /** It is not in this conversation, or too far back. */
  | { readonly kind: "missing"; readonly message: string }

/** What was loaded is announced with the next frame; a page that draws none is not waited for. */
const SHOWN_MS = 2_000

type Loading = {
  readonly getState: () => Pick<ReturnType<LiveConversation["getState"]>, "messages" | "older">
  readonly subscribe: (listener: () => void) => () => void
  readonly loadOlder: (limit: number) => Promise<void>
}

export async function goToMessage(
  live: Loading,
  message: string,
  options: { readonly signal: AbortSignal; readonly onGoing: (going: Going) => void },
): Promise<void> {
  const { signal, onGoing } = options
  for (let page = 0; !signal.aborted; page++) {
    const { messages, older } = live.getState()
    if (messages.some(({ id }) => id === message)) return onGoing({ kind: "there", message })
    if (older === null || page === MOST_PAGES) return onGoing({ kind: "missing", message })
    onGoing({ kind: "looking", loaded: messages.length })
    try {
      await live.loadOlder(PAGE)
    } catch {
      return signal.aborted ? undefined : onGoing({ kind: "missing", message })
    }
    await announced(live, older, signal)
  }
}

/** Until the page that was loaded is in the state. */
function announced(live: Loading, older: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      leave()
      resolve()
    }
    const look = () => (live.getState().older !== older || signal.aborted) && done()
    const leave = live.subscribe(look)
    const timer = setTimeout(done, SHOWN_MS)
    look()
  })
}

export function goingWords(going: Going): string {
  if (going.kind === "looking") return `Looking for the message, ${going.loaded.toLocaleString()} loaded…`
  return going.kind === "missing" ? "That message is not here any more, or too far back to jump to." : ""
}
