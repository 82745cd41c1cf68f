const SIGNS = ["pointermove", "pointerdown", "keydown", "input", "dragenter"] as const
const WATCHING = { capture: true, passive: true }

/** Runs once, at the first sign of a person: until then nobody waits for what the first view does without. */
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
