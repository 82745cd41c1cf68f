import type { AnswerOf, BodyInputOf, RollbackPreview, RollbackRow } from "@parlor/protocol"
import type { Do } from "./do.ts"

export type RollbackOptions = Omit<BodyInputOf<"rollBack">, "to">

/** Rolling back a conversation and its files, and undoing that (RBK-1). */
export class Rollbacks {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** What a rollback to this message would do to messages and files. Changes nothing. */
  preview(to: string, options: { readonly edit?: boolean } = {}): Promise<RollbackPreview> {
    return this.#do("previewRollback", { query: { to, edit: options.edit } })
  }

  /** To one of the person's messages. `edit` returns its text, to be sent again with `editedFrom` (RBK-3). */
  make(to: string, options: RollbackOptions = {}): Promise<AnswerOf<"rollBack">> {
    return this.#do("rollBack", { body: { ...options, to } })
  }

  /** Cancels the newest rollback in force. The rollback in the response dims the messages after it (RBK-6). */
  async cancel(rollback: string): Promise<RollbackRow> {
    return (await this.#do("cancelRollback", { params: { rollback } })).rollback
  }
}
