/** What it takes to take conversations in and out. */
import type { StreamId } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import type { LogAccess } from "../log/log-access.ts"

export type TransferAccess = LogAccess & Agents

export type ImportAccess = TransferAccess & {
  /** Streams of the imports this process is taking in: their leases are renewed with those of turns. */
  readonly imports: Set<StreamId>
}
