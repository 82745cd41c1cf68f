/**
 * The working copies of workspaces on disk. Paths were checked by `workspace/path.ts`; the port sees to it that no link
 * and no race leads out of the folder (WSP-1). A server without one keeps files in the store alone.
 */
import type { Address } from "@parlor/protocol"

export type DiskFile = { readonly path: string; readonly bytes: number; readonly modifiedAt: number }

export interface Files {
  /** Undefined when there is no such file. Refuses (`file.*`) what is no plain file. */
  read(folder: Address, path: string): Promise<Uint8Array | undefined>
  /** Whole or not at all, and on disk when it resolves. Makes the folders it needs. */
  write(folder: Address, path: string, content: Uint8Array): Promise<void>
  /** Also the folders it leaves empty. No file is no error. */
  remove(folder: Address, path: string): Promise<void>
  /** Plain files only, links left out; at most so many. */
  list(folder: Address, most: number): Promise<readonly DiskFile[]>
  /** Whether the folder is there at all. */
  exists(folder: Address): Promise<boolean>
  /** The folder with all that is in it. */
  clear(folder: Address): Promise<void>
}
