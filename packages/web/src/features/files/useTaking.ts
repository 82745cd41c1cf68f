import type { Files } from "@parlor/client"
import { useRef, useState } from "react"
import { type Given, type Going, type Taken, upload } from "./uploads.ts"

export type Taking = {
  readonly take: (given: readonly Given[], replace?: boolean) => void
  readonly going: Going | undefined
  /** The result of the last upload. */
  readonly taken: Taken | undefined
  readonly forget: () => void
  /** Stops the upload; the remaining files are not uploaded. */
  readonly stop: () => void
}

/** Uploads files. New ones wait for the running upload, because a workspace accepts one change at a time. */
export function useTaking(files: Files, onTaken: (taken: Taken) => void): Taking {
  const [going, setGoing] = useState<Going>()
  const [taken, setTaken] = useState<Taken>()
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const stopping = useRef(new AbortController())
  const take = (given: readonly Given[], replace = false) => {
    if (given.length === 0) return
    const { signal } = stopping.current
    line.current = line.current.then(async () => {
      const done = await upload(files, given, { replace, signal, onGoing: setGoing })
      setGoing(undefined)
      setTaken(done)
      onTaken(done)
    })
  }
  const stop = () => {
    stopping.current.abort()
    stopping.current = new AbortController()
  }
  return { take, going, taken, forget: () => setTaken(undefined), stop }
}
