import type { MessageRow, Millis, TurnRow } from "@parlor/protocol"

/** What a drive does next. */
export type Next =
  | {
      readonly kind: "turn"
      readonly turn: TurnRow
      readonly resume?: MessageRow | undefined
      /** The reply of its interrupted step: it is replaced when the step runs again. */
      readonly cut?: MessageRow | undefined
      /** It was interrupted and continues: what it did before is in the log. */
      readonly recovered?: true
    }
  /** Finishes a rollback that is already in the log; `told` receives the result. */
  | { readonly kind: "rollback"; readonly told?: (finishing: Promise<void>) => void }
  /** Looks at the queue. */
  | { readonly kind: "queue" }
  /** The next message is being edited, or the queue is held after an error, until `until`: look again after `ms`. */
  | { readonly kind: "wait"; readonly until: Millis; readonly ms: number }
  | { readonly kind: "drain" }
  | { readonly kind: "released" }
