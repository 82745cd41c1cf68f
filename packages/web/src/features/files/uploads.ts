/** Taking files from this machine into a workspace: none is written over unasked. */
import type { Files } from "@parlor/client"
import { type Note, noteOf } from "../status/problemWords.ts"

export type Given = Pick<File, "name"> & Blob

export type Taken = {
  readonly made: readonly string[]
  /** A file of that name is there already. */
  readonly met: readonly Given[]
  readonly refused: readonly { readonly name: string; readonly note: Note }[]
}

/** One after another: a workspace takes one change at a time. */
export async function upload(
  files: Pick<Files, "write">,
  given: readonly Given[],
  options: { readonly replace: boolean },
): Promise<Taken> {
  const made: string[] = []
  const met: Given[] = []
  const refused: { readonly name: string; readonly note: Note }[] = []
  for (const file of given) {
    const name = file.name.normalize("NFC")
    try {
      await files.write(name, file, options.replace ? {} : { was: null })
      made.push(name)
    } catch (error) {
      const note = noteOf(error)
      if (note.code === "file.exists") met.push(file)
      else refused.push({ name, note })
    }
  }
  return { made, met, refused }
}
