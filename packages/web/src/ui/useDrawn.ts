import { useEffect, useState } from "react"

/** A window nobody sees draws no frames, so a frame that does not come is not waited for. */
const FRAME_LIMIT_MS = 150

/** False from the moment the key changes until the page has been drawn with it once: what is heavy waits for that. */
export function useDrawn(key: string): boolean {
  const [drawn, setDrawn] = useState<string>()
  useEffect(() => afterPaint(() => setDrawn(key)), [key])
  return drawn === key
}

function afterPaint(run: () => void): () => void {
  let soon: ReturnType<typeof setTimeout> | undefined
  const late = setTimeout(run, FRAME_LIMIT_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(late)
    soon = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(late)
    clearTimeout(soon)
  }
}
