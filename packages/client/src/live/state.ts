import type {
  AskRow,
  BranchRow,
  ChangeRow,
  CommandRow,
  MessageRow,
  QueueRow,
  RollbackRow,
  StatusRow,
  TurnRow,
} from "@parlor/protocol"
import type { ParlorError } from "../error.ts"
import type { Connection } from "../follow.ts"
import type { PendingSend } from "./outbox.ts"

export type LiveState = {
  readonly phase: "loading" | "ready" | "failed"
  readonly connection: Connection
  /** When it is tried to connect again; null when connected, and while it is tried. `reconnect` does not wait for it. */
  readonly reconnectAt: number | null
  readonly title: string
  readonly status: StatusRow | null
  /** In order, with the text that is still streaming. */
  readonly messages: readonly MessageRow[]
  /** In the order in which they will start (QUE-3). Paused ones keep their place and are passed over. */
  readonly queue: readonly QueueRow[]
  /** How many more are queued: a very long queue is not loaded as a whole. */
  readonly unreadQueued: number
  /** Those still open. */
  readonly asks: readonly AskRow[]
  readonly commands: readonly CommandRow[]
  /** Turns that changed since this was opened. */
  readonly turns: readonly TurnRow[]
  /** What was changed in files since this was opened. `status` says how many there are. */
  readonly changes: readonly ChangeRow[]
  /** All of them, cancelled ones too: `newestRollback` says which may be cancelled. */
  readonly rollbacks: readonly RollbackRow[]
  /** Branches and sidecars that hang on it. */
  readonly branches: readonly BranchRow[]
  /** The cursor of the page before the first message; null when there is none. */
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
  commands: [],
  turns: [],
  changes: [],
  rollbacks: [],
  branches: [],
  older: null,
  isLoadingOlder: false,
  sending: [],
  error: null,
}
