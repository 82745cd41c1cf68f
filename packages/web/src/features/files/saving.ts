/** Saves an edited file and detects conflicting changes (WSP-4). */
import type { FileRead, Files } from "@parlor/client"
import { type Note, noteOf } from "../status/problemWords.ts"

/** The current version; null when it was deleted. */
export type Theirs = { readonly read: FileRead | null }

export type Saved =
  | { readonly kind: "saved"; readonly hash: string }
  | { readonly kind: "overtaken"; readonly theirs: Theirs }
  | { readonly kind: "refused"; readonly note: Note }

type Saving = Pick<Files, "read" | "write">

/** Writes only if the file still has the expected hash (null: only if it doesn't exist). */
export async function save(files: Saving, path: string, text: string, was: string | null): Promise<Saved> {
  try {
    return { kind: "saved", hash: (await files.write(path, text, { was })).hash }
  } catch (error) {
    const note = noteOf(error)
    if (note.code !== "file.changed" && note.code !== "file.exists") return { kind: "refused", note }
    return overtaken(files, path)
  }
}

async function overtaken(files: Saving, path: string): Promise<Saved> {
  try {
    return { kind: "overtaken", theirs: { read: await files.read(path) } }
  } catch (error) {
    const note = noteOf(error)
    return note.code === "file.unknown" ? { kind: "overtaken", theirs: { read: null } } : { kind: "refused", note }
  }
}

/** Moves a file: writes the new path first, then deletes the old one if it is unchanged. */
export async function move(files: Pick<Files, "write" | "delete">, from: string, to: string, read: FileRead) {
  await files.write(to, read.bytes, { was: null })
  await files.delete(from, { was: read.hash })
}
