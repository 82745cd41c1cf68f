import type { FileRead, Files } from "@parlor/client"
import { useEffect, useState } from "react"
import { type Note, noteOf } from "../status/problemWords.ts"

export type OpenedFile = {
  readonly path: string
  readonly read: FileRead | undefined
  /** What is in the box; undefined for what is not text. */
  readonly text: string | undefined
  readonly problem: Note | undefined
  /** Somebody else changed it since it was read. */
  readonly isOvertaken: boolean
  change(text: string): void
  save(options?: { readonly anyway: boolean }): Promise<void>
  reload(): void
}

/** One file, read when it is opened. It is saved over what was read, and over nothing else. */
export function useOpenFile(files: Files, path: string): OpenedFile {
  const [read, setRead] = useState<FileRead>()
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<Note>()
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is the reason to read again.
  useEffect(() => {
    let left = false
    files.read(path).then(
      (found) => {
        if (left) return
        setRead(found)
        setText(textOf(found))
        setProblem(undefined)
      },
      (error) => left || setProblem(noteOf(error)),
    )
    return () => {
      left = true
    }
  }, [files, path, round])
  const save = async ({ anyway } = { anyway: false }) => {
    if (text === undefined || read === undefined) return
    try {
      const row = await files.write(path, text, anyway ? {} : { was: read.hash })
      setRead({ ...read, hash: row.hash, bytes: new TextEncoder().encode(text) })
      setProblem(undefined)
    } catch (error) {
      setProblem(noteOf(error))
    }
  }
  return {
    path,
    read,
    text,
    problem,
    isOvertaken: problem?.code === "file.changed",
    change: setText,
    save,
    reload: () => setRound((before) => before + 1),
  }
}

export function textOf({ bytes, mediaType }: FileRead): string | undefined {
  return mediaType.startsWith("text/") ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : undefined
}
