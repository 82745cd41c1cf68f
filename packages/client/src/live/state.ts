import type {
  ArchiveRow,
  AskRow,
  BranchRow,
  ChangeRow,
  MessageRow,
  QueueRow,
  RollbackRow,
  SlashCommandRow,
  StatusRow,
  TurnRow,
} from "@parlor/protocol"
import type { ParlorError } from "../error.ts"
import type { Connection } from "../follow.ts"
import type { PendingSend } from "./outbox.ts"

export type LiveState = {
  readonly phase: "loading" | "ready" | "failed"
  readonly connection: Connection
  /** When the next connection attempt is due; null while connected or connecting. `reconnect` does not wait for it. */
  readonly reconnectAt: number | null
  readonly title: string
  readonly status: StatusRow | null
  /** In order, with the text that is still streaming. */
  readonly messages: readonly MessageRow[]
  /** In the order they will start (QUE-3). Paused messages keep their place and are skipped. */
  readonly queue: readonly QueueRow[]
  /** How many more are queued: a very long queue is not loaded as a whole. */
  readonly unreadQueued: number
  /** Open asks only. */
  readonly asks: readonly AskRow[]
  readonly slashCommands: readonly SlashCommandRow[]
  /** Turns that changed since this was opened, and the failed ones of the newest messages. */
  readonly turns: readonly TurnRow[]
  /** File changes since this was opened. `status` has their total number. */
  readonly changes: readonly ChangeRow[]
  /** Including canceled ones. `newestRollback` returns the one that can be canceled. */
  readonly rollbacks: readonly RollbackRow[]
  /** Its chapters, including undone ones. */
  readonly archives: readonly ArchiveRow[]
  /** Its branches and sidecars. */
  readonly branches: readonly BranchRow[]
  /** The cursor of the page before the first message; null if there is none. */
  readonly older: string | null
  readonly isLoadingOlder: boolean
  readonly sending: readonly PendingSend[]
  readonly error: ParlorError | null
}

export const loadingState: LiveState = {
  phase: "loading",
  connection: "connecting",
  reconnectAt: null,
  title: "",
  status: null,
  messages: [],
  queue: [],
  unreadQueued: 0,
  asks: [],
  slashCommands: [],
  turns: [],
  changes: [],
  rollbacks: [],
  archives: [],
  branches: [],
  older: null,
  isLoadingOlder: false,
  sending: [],
  error: null,
}
