/** Uploads files into a workspace without overwriting existing ones unasked. */
import type { Files } from "@parlor/client"
import { percentOf } from "../../ui/Progress.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"

export type Given = Pick<File, "name"> & Blob

export type Taken = {
  readonly made: readonly string[]
  /** A file with that name already exists. */
  readonly met: readonly Given[]
  readonly refused: readonly { readonly name: string; readonly note: Note }[]
  /** Files not uploaded because the upload was stopped. */
  readonly stopped: readonly string[]
}

/** The one that goes now: the which-th of how many, and how much of it went. */
export type Going = {
  readonly name: string
  readonly place: number
  readonly count: number
  readonly percent: number
}

export type UploadOptions = {
  readonly replace: boolean
  readonly signal?: AbortSignal
  readonly onGoing?: (going: Going) => void
}

/** One after another, because a workspace accepts one change at a time. */
export async function upload(
  files: Pick<Files, "write">,
  given: readonly Given[],
  { replace, signal, onGoing }: UploadOptions,
): Promise<Taken> {
  const made: string[] = []
  const met: Given[] = []
  const refused: { readonly name: string; readonly note: Note }[] = []
  const stopped: string[] = []
  for (const [index, file] of given.entries()) {
    const name = file.name.normalize("NFC")
    const tell = (share: number) =>
      onGoing?.({ name, place: index + 1, count: given.length, percent: percentOf(share) })
    try {
      signal?.throwIfAborted()
      tell(0)
      await files.write(name, file, { ...(replace ? {} : { was: null }), ...(signal && { signal }), onProgress: tell })
      made.push(name)
    } catch (error) {
      const note = noteOf(error)
      if (signal?.aborted) stopped.push(name)
      else if (note.code === "file.exists") met.push(file)
      else refused.push({ name, note })
    }
  }
  return { made, met, refused, stopped }
}
