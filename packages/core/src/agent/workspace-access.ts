/** A workspace as tools, agents' own code and people use it: in somebody's name, in one conversation. */
import type { FileRow, Millis, TurnId } from "@parlor/protocol"

export interface WorkspaceAccess {
  /** By path. Also what was made by hand on disk and is in no row yet. */
  list(): Promise<readonly FileView[]>
  /** What is on disk when it is there, otherwise what the store has. Refused when there is no such file. */
  read(path: string): Promise<FileContent>
  /** Makes or replaces a file. A text is written as UTF-8. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<FileRow>
  /** Each `old` has to be in the text exactly once. */
  edit(path: string, edits: readonly TextEdit[]): Promise<FileRow>
  delete(path: string, options?: WriteOptions): Promise<void>
  /** Refused when there is something at `to`. */
  move(from: string, to: string): Promise<FileRow>
  /** Lines that hold the text, upper and lower case alike. */
  search(text: string, options?: { readonly path?: string }): Promise<SearchResult>
}

export type FileView = {
  readonly path: string
  readonly bytes: number
  /** Null for what was found on disk by its name only. */
  readonly hash: string | null
  readonly by: string
  readonly turn: TurnId | null
  readonly at: Millis
}

export type FileContent = FileView & { readonly hash: string; readonly content: Uint8Array }

export type TextEdit = { readonly old: string; readonly new: string }

/** `was`: the hash it has to have now, `*` for any, or null for no file; otherwise nothing is done (`file.changed`). */
export type WriteOptions = { readonly was?: string | null }

export type SearchResult = {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  /** Where to look was more than is looked through, or found more than is told. */
  readonly more: boolean
}
