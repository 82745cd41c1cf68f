/**
 * The working copies of workspaces on disk. Paths were checked by `workspace/path.ts`; the port makes sure that no link
 * and no race leads out of the folder (WSP-1). A server without this port keeps files in the store only.
 *
 * It records what it wrote. So a copy that lags behind the store (the process was killed in between, or another node
 * wrote) can be distinguished from one that was edited by hand.
 */
import type { Address, Millis } from "@parlor/protocol"

/** The folder of a conversation's files. `life` distinguishes it from a deleted conversation at the same address. */
export type Folder = Address & {
  readonly life: string
  /** The path of a folder of the operator's that is the workspace itself (WSP-8). It is never created or deleted. */
  readonly real?: string
}

export type DiskFile = {
  readonly path: string
  readonly bytes: number
  readonly modifiedAt: Millis
  /**
   * Changes whenever the file does, whatever its size and time say. Undefined in a list if the file changed so recently
   * that a further change might not show; a read has none.
   */
  readonly stamp?: string | undefined
  /** Hashes of what the port wrote or adopted there: one, or two if it was interrupted in between. None: created by hand. */
  readonly written: readonly string[]
}

export type DiskContent = DiskFile & {
  /** Undefined if the file is larger than requested. */
  readonly content: Uint8Array | undefined
  /** It has another name somewhere (a hard link), perhaps outside. */
  readonly linked: boolean
}

export type Place = { readonly folder: string; readonly home: string }

export interface Files {
  /** Undefined if there is no such file. Rejects anything but plain files, and paths through a link. */
  read(folder: Folder, path: string, options: { readonly most: number }): Promise<DiskContent | undefined>
  /** Atomic, and on disk when it resolves. Creates missing folders. Never writes through a link. */
  write(folder: Folder, path: string, content: Uint8Array, as: { hash: string; at: Millis }): Promise<void>
  /** Also removes folders it leaves empty. A missing file is not an error. */
  remove(folder: Folder, path: string): Promise<void>
  /** Plain files only, without links, ordered by path; at most `most`. Folders named in `skip` are left out. */
  list(folder: Folder, most: number, options?: { readonly skip?: ReadonlySet<string> }): Promise<readonly DiskFile[]>
  /**
   * The path of the folder on this machine, for programs that work in it, and of a folder beside the conversation's
   * files that is for them alone. Creates the folder if it does not exist; never one of the operator's.
   */
  place(folder: Folder): Promise<Place>
  /** What another program wrote there, or removed (null), was recorded: from now on it counts as written by the port. */
  adopt(folder: Folder, path: string, hash: string | null): Promise<void>
  /** The folder with everything in it. */
  clear(folder: Folder): Promise<void>
  /** Everything of that person. */
  clearPerson(person: string): Promise<void>
}
