import type { AnswerOf, BodyInputOf, BranchView } from "@parlor/protocol"
import type { Do } from "./do.ts"
import { makeKey } from "./key.ts"

export type NewBranch = BodyInputOf<"makeBranch">

/** The branches of a conversation, and what can become of it when it is a sidecar itself (BRA-4). */
export class Branches {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** Sidecars among them; the last one active first. */
  async list(): Promise<readonly BranchView[]> {
    return (await this.#do("listBranches")).branches
  }

  /** From a message, or from nothing: a new topic. Made once, however often it has to be tried. */
  make(branch: NewBranch = {}): Promise<AnswerOf<"makeBranch">> {
    const headers = { "idempotency-key": makeKey() }
    return this.#do("makeBranch", { body: branch, headers })
  }

  /** Makes this sidecar an ordinary branch. */
  keep(): Promise<AnswerOf<"keepSidecar">> {
    return this.#do("keepSidecar")
  }

  /** Quotes this sidecar's last answer into its parent. No turn starts for it. */
  merge(): Promise<AnswerOf<"mergeSidecar">> {
    return this.#do("mergeSidecar", { headers: { "idempotency-key": makeKey() } })
  }

  /** Leaves this sidecar: the server keeps it, unless it is set to delete those. */
  close(): Promise<AnswerOf<"closeSidecar">> {
    return this.#do("closeSidecar")
  }
}
