import { useEffect, useState } from "react"

const tickMs = 500

/** The current time, ticking until `until`. Doesn't tick afterwards or without it. */
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
