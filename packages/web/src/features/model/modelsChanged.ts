/** Tells the rest of the page that the models of the agents may be others now. */
const CHANGED = "parlor:models-changed"

export function tellModelsChanged(): void {
  window.dispatchEvent(new Event(CHANGED))
}

/** Returns an unsubscribe function. */
export function onModelsChanged(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  return () => window.removeEventListener(CHANGED, listener)
}
