import { useEffect, useState } from "react"

const TICK_MS = 1_000
/** A shorter time is not worth a word. */
const WORTH_S = 5

/** How long it has been so. Not for screen readers, who would be told every second. */
export function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span aria-hidden="true" className="text-muted tabular-nums">
      {elapsedWords(now - since)}
    </span>
  )
}

export function elapsedWords(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < WORTH_S) return ""
  if (seconds < 100) return ` ${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? ` ${minutes} min` : ` ${Math.round(minutes / 60)} h`
}
