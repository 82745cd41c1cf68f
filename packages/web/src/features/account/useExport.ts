import type { Parlor } from "@parlor/client"
import { useEffect, useRef, useState } from "react"
import { saveBlob } from "../../ui/download.ts"
import { type Note, noteOf } from "../status/problemWords.ts"

export type ExportState = {
  /** Received so far, while it runs. */
  readonly bytes: number | undefined
  readonly note: Note | undefined
  readonly begin: () => void
  readonly cancel: () => void
}

/** Downloads everything of a person. The browser collects it in a blob, which it keeps on disk when it is large. */
export function useExport(parlor: Pick<Parlor, "exportPerson">, person: string): ExportState {
  const [bytes, setBytes] = useState<number>()
  const [note, setNote] = useState<Note>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const begin = async () => {
    const mine = new AbortController()
    running.current = mine
    setNote(undefined)
    setBytes(0)
    try {
      const archive = await parlor.exportPerson(person, { signal: mine.signal })
      const blob = await new Response(archive.pipeThrough(counting(setBytes))).blob()
      saveBlob(`parlor-${new Date().toISOString().slice(0, 10)}.zip`, blob)
    } catch (error) {
      if (!mine.signal.aborted) setNote(noteOf(error))
    }
    setBytes(undefined)
  }
  return { bytes, note, begin: () => void begin(), cancel: () => running.current?.abort() }
}

function counting(onBytes: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      onBytes(bytes)
      controller.enqueue(chunk)
    },
  })
}
