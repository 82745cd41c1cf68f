/** Answers the service worker, which sees no more of a window than its address (APP-11). */
import { conversationOf } from "../place/place.ts"
import { go, here } from "../place/usePlace.ts"

type Question =
  | { readonly kind: "shows"; readonly conversation: string }
  | { readonly kind: "open"; readonly address: string }

/** Returns a function that ends it. */
export function answerWorker(): () => void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  const answer = ({ data, ports: [port] }: MessageEvent<Question>) => {
    if (data.kind === "shows") port?.postMessage(document.visibilityState === "visible" && isFront(data.conversation))
    if (data.kind === "open") {
      go(data.address)
      port?.postMessage(true)
    }
  }
  workers?.addEventListener("message", answer)
  return () => workers?.removeEventListener("message", answer)
}

function isFront(conversation: string): boolean {
  const place = here()
  return place.page === "conversation" && conversationOf(place) === conversation
}
