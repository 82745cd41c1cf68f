/** The workspace of one conversation, used by tools, agents' code and people under their own name. */
import type { FileRow, Millis, TurnId } from "@parlor/protocol"

export interface WorkspaceAccess {
  /** Sorted by path. Includes files created by hand on disk that have no row yet. */
  list(): Promise<readonly FileView[]>
  /** The content on disk if it is there, otherwise the stored content. Throws if there is no such file. */
  read(path: string): Promise<FileContent>
  /** Creates or replaces a file. Text is written as UTF-8. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<FileRow>
  /** Each `old` must occur exactly once in the text. */
  edit(path: string, edits: readonly TextEdit[]): Promise<FileRow>
  delete(path: string, options?: WriteOptions): Promise<void>
  /** Throws if `to` exists. */
  move(from: string, to: string): Promise<FileRow>
  /** Lines that contain the text, case-insensitive. */
  search(text: string, options?: { readonly path?: string }): Promise<SearchResult>
}

export type FileView = {
  readonly path: string
  readonly bytes: number
  /** Null for a file found on disk that was not read yet. */
  readonly hash: string | null
  readonly by: string
  readonly turn: TurnId | null
  readonly at: Millis
}

export type FileContent = FileView & { readonly hash: string; readonly content: Uint8Array }

export type TextEdit = { readonly old: string; readonly new: string }

/** `was`: the hash the file must have now, `*` for any, or null for no file; otherwise throws `file.changed`. */
export type WriteOptions = { readonly was?: string | null }

export type SearchResult = {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  /** More files than are searched, or more matches than are returned. */
  readonly more: boolean
}
