/** Calls back when the person returns to this window. Returns an unsubscribe function. */
export function onReturn(listener: () => void): () => void {
  const look = () => {
    if (document.visibilityState === "visible") listener()
  }
  window.addEventListener("focus", look)
  document.addEventListener("visibilitychange", look)
  return () => {
    window.removeEventListener("focus", look)
    document.removeEventListener("visibilitychange", look)
  }
}
