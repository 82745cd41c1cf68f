import { useEffect, useState } from "react"

const tickMs = 500

/** The time, kept current while something waits for `until`. Afterwards, and without it, nothing ticks. */
export function useNow(until: number | null | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (until === null || until === undefined || until <= Date.now()) return setNow(Date.now())
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, tickMs)
    return () => clearInterval(timer)
  }, [until])
  return now
}
