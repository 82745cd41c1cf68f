import type { AnswerOf, BodyInputOf, BranchView } from "@parlor/protocol"
import type { Do } from "./do.ts"
import { makeKey } from "./key.ts"

export type NewBranch = BodyInputOf<"makeBranch">

/** The branches of a conversation; and keeping, merging or closing it if it is a sidecar itself (BRA-4). */
export class Branches {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** Includes sidecars. Most recently active first. */
  async list(): Promise<readonly BranchView[]> {
    return (await this.#do("listBranches")).branches
  }

  /** Branches from a message, or starts an empty conversation. Retries never create a second one. */
  make(branch: NewBranch = {}): Promise<AnswerOf<"makeBranch">> {
    const headers = { "idempotency-key": makeKey() }
    return this.#do("makeBranch", { body: branch, headers })
  }

  /** Turns this sidecar into an ordinary branch. */
  keep(): Promise<AnswerOf<"keepSidecar">> {
    return this.#do("keepSidecar")
  }

  /** Quotes this sidecar's last reply in its parent. Starts no turn. */
  merge(): Promise<AnswerOf<"mergeSidecar">> {
    return this.#do("mergeSidecar", { headers: { "idempotency-key": makeKey() } })
  }

  /** Closes this sidecar. The server keeps or deletes it, depending on its settings. */
  close(): Promise<AnswerOf<"closeSidecar">> {
    return this.#do("closeSidecar")
  }
}
