/**
 * The working copies of workspaces on disk. Paths were checked by `workspace/path.ts`; the port sees to it that no link
 * and no race leads out of the folder (WSP-1). A server without one keeps files in the store alone.
 *
 * It remembers what it wrote where. So a copy that lags behind the store (the process was killed between the two, or
 * another node wrote) can be told from one that somebody edited by hand.
 */
import type { Address, Millis } from "@parlor/protocol"

/** Where a conversation's files lie. `life` tells it from one of the same address that was deleted before. */
export type Folder = Address & { readonly life: string }

export type DiskFile = {
  readonly path: string
  readonly bytes: number
  readonly modifiedAt: Millis
  /** Hashes of what the port wrote there: one, or two when it was cut off between them. None: made by hand. */
  readonly written: readonly string[]
}

export type DiskContent = DiskFile & {
  /** Undefined when the file is larger than asked for. */
  readonly content: Uint8Array | undefined
  /** It has another name somewhere (a hard link), perhaps outside. */
  readonly linked: boolean
}

export interface Files {
  /** Undefined when there is no such file. Refuses what is no plain file, and what only a link leads to. */
  read(folder: Folder, path: string, options: { readonly most: number }): Promise<DiskContent | undefined>
  /** Whole or not at all, and on disk when it resolves. Makes the folders it needs. Never writes through a link. */
  write(folder: Folder, path: string, content: Uint8Array, as: { hash: string; at: Millis }): Promise<void>
  /** Also the folders it leaves empty. No file is no error. */
  remove(folder: Folder, path: string): Promise<void>
  /** Plain files only, links left out, in the order of their paths; at most so many. */
  list(folder: Folder, most: number): Promise<readonly DiskFile[]>
  /** The folder with all that is in it. */
  clear(folder: Folder): Promise<void>
  /** Everything of that person. */
  clearPerson(person: string): Promise<void>
}
