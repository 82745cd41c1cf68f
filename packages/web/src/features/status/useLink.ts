import { useEffect, useState } from "react"
import { BACK_MS, fine, followLink, type Link, type Stream } from "./link.ts"

/** The streams to reconnect without waiting. */
export type Reconnecting = { reconnect(): void }

type Known = Stream & { readonly by: Reconnecting | undefined }

const streams = new Map<string, Known>()
const listeners = new Set<() => void>()

/** Reports the state of a stream while mounted. A rejected stream is over, not lost. */
export function useStream(name: string, stream: Stream & { readonly phase: string }, by?: Reconnecting): void {
  const { connection, reconnectAt } = stream
  const isOver = stream.phase === "failed"
  useEffect(() => {
    if (isOver) streams.delete(name)
    else streams.set(name, { connection, reconnectAt, by })
    tell()
  }, [name, connection, reconnectAt, isOver, by])
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
        followLink(before, { isOnline: navigator.onLine, streams: [...streams.values()], at: Date.now() }),
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

/** Reconnects all streams now. */
export function tryNow(): void {
  for (const { by } of streams.values()) by?.reconnect()
}

function tell(): void {
  for (const listener of listeners) listener()
}
