/**
 * Goes to the message named in the address. Loads older pages until it is found, up to a limit, or until the person
 * navigates away.
 */
import type { LiveConversation } from "@parlor/client"
import { t } from "../../texts/en/timeline.ts"

const PAGE = 200
/** Further back, the person loads older pages with the button. */
export const MAX_PAGES = 50

export type Going =
  /** The number of messages loaded so far. */
  | { readonly kind: "looking"; readonly loaded: number }
  | { readonly kind: "there"; readonly message: string }
  /** It is not in this conversation, or too far back. */
  | { readonly kind: "missing"; readonly message: string }

/** Loaded pages are announced with the next frame; a hidden page has none, so there is a timeout. */
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
    if (older === null || page === MAX_PAGES) return onGoing({ kind: "missing", message })
    onGoing({ kind: "looking", loaded: messages.length })
    try {
      await live.loadOlder(PAGE)
    } catch {
      return signal.aborted ? undefined : onGoing({ kind: "missing", message })
    }
    await announced(live, older, signal)
  }
}

/** Waits until the loaded page is in the state. */
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
  if (going.kind === "looking") return t("lookingForTheMessageLoaded", { loaded: going.loaded })
  return going.kind === "missing" ? t("thatMessageNoLongerExists") : ""
}
