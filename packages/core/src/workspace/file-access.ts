/** What is needed to work with the files of conversations. */
import type { StreamId } from "@parlor/protocol"
import type { LogAccess } from "../log/log-access.ts"
import type { Files, Folder } from "../ports/files.ts"
import type { Version } from "./content.ts"
import type { Kept } from "./tree.ts"

export type FileAccess = LogAccess & {
  /** Working copies on disk; without it files are only in the store. */
  readonly files?: Files
  readonly workspaces: Workspaces
  /** The folder that the operator gave to an agent as its workspace, if any (WSP-8). */
  readonly realFolder?: (agent: string) => string | undefined
}

/** The workspaces this process works on. */
export type Workspaces = {
  /** The last unit of work on each, for the next one to wait for. */
  readonly tails: Map<StreamId, Promise<unknown>>
  /** Cached between decisions. */
  readonly trees: Map<StreamId, Kept>
  /** Their folders on disk. */
  readonly folders: Map<StreamId, Folder>
  /** Files of the operator's folders as they were before programs worked there: content that has no row yet. */
  readonly baselines: Map<StreamId, Map<string, Version & { readonly stamp: string | undefined }>>
  /** Files on disk that are known to be as their rows say, by path: their stamps and hashes. */
  readonly seen: Map<StreamId, Map<string, string>>
}

export function noWorkspaces(): Workspaces {
  return { tails: new Map(), trees: new Map(), folders: new Map(), baselines: new Map(), seen: new Map() }
}
