import { useEffect, useState } from "react"

/** Whatever happens, it is idle after this. */
const LATEST_MS = 10_000

/** False until the page has drawn itself and has nothing urgent to do, for work that nobody waits for. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    if (typeof requestIdleCallback === "undefined") {
      const timer = setTimeout(() => setIsIdle(true), LATEST_MS / 10)
      return () => clearTimeout(timer)
    }
    const asked = requestIdleCallback(() => setIsIdle(true), { timeout: LATEST_MS })
    return () => cancelIdleCallback(asked)
  }, [])
  return isIdle
}
