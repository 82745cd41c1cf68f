import type { Connection } from "@parlor/client"
import { useEffect, useState } from "react"
import { BACK_MS, fine, followLink, type Link } from "./link.ts"

const streams = new Map<string, Connection>()
const listeners = new Set<() => void>()

/** Says how a stream of the page is doing, as long as it is there. */
export function useStream(name: string, connection: Connection | undefined): void {
  useEffect(() => {
    if (connection === undefined) return
    streams.set(name, connection)
    tell()
  }, [name, connection])
  useEffect(
    () => () => {
      streams.delete(name)
      tell()
    },
    [name],
  )
}

/** The connection of the whole page. */
export function useLink(): Link {
  const [link, setLink] = useState(fine)
  useEffect(() => {
    const look = () =>
      setLink((before) =>
        followLink(before, { isOnline: navigator.onLine, connections: [...streams.values()], at: Date.now() }),
      )
    look()
    listeners.add(look)
    window.addEventListener("online", look)
    window.addEventListener("offline", look)
    return () => {
      listeners.delete(look)
      window.removeEventListener("online", look)
      window.removeEventListener("offline", look)
    }
  }, [])
  useEffect(() => {
    if (link.state !== "back") return
    const timer = setTimeout(tell, BACK_MS)
    return () => clearTimeout(timer)
  }, [link])
  return link
}

/** The SDK waits between its tries, and tries at once when a browser says that its network is back. */
export function tryNow(): void {
  window.dispatchEvent(new Event("online"))
}

function tell(): void {
  for (const listener of listeners) listener()
}
