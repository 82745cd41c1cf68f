const SIGNS = ["pointermove", "pointerdown", "keydown", "input", "dragenter"] as const
const WATCHING = { capture: true, passive: true }

/** Runs once, at the first user interaction, to defer work the first view doesn't need. */
export function onFirstSign(run: () => void): () => void {
  const leave = () => {
    for (const sign of SIGNS) window.removeEventListener(sign, once, WATCHING)
  }
  const once = () => {
    leave()
    run()
  }
  for (const sign of SIGNS) window.addEventListener(sign, once, WATCHING)
  return leave
}
