import { useEffect, useState } from "react"

/** A hidden window renders no frames, so don't wait for one forever. */
const FRAME_LIMIT_MS = 150

/** False from a key change until the next paint, to defer heavy work. */
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
