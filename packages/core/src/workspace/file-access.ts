/** What is needed to work with the files of conversations. */
import type { StreamId } from "@parlor/protocol"
import type { LogAccess } from "../log/log-access.ts"
import type { Files, Folder } from "../ports/files.ts"
import type { Kept } from "./tree.ts"

export type FileAccess = LogAccess & {
  /** Working copies on disk; without it files are only in the store. */
  readonly files?: Files
  readonly workspaces: Workspaces
}

/** The workspaces this process works on. */
export type Workspaces = {
  /** The last unit of work on each, for the next one to wait for. */
  readonly tails: Map<StreamId, Promise<unknown>>
  /** Cached between decisions. */
  readonly trees: Map<StreamId, Kept>
  /** Their folders on disk. */
  readonly folders: Map<StreamId, Folder>
}

export function noWorkspaces(): Workspaces {
  return { tails: new Map(), trees: new Map(), folders: new Map() }
}
