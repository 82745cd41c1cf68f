/** What is needed to import and export conversations. */
import type { StreamId } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import type { LogAccess } from "../log/log-access.ts"
import type { MemoryHome } from "../memory/memory.ts"

export type TransferAccess = LogAccess & Agents

export type ImportAccess = TransferAccess &
  MemoryHome & {
    /** Streams of the imports in progress in this process: their leases are renewed together with those of turns. */
    readonly imports: Set<StreamId>
    /** How many imports each person has in progress in this process. */
    readonly importsByPerson: Map<string, number>
  }
