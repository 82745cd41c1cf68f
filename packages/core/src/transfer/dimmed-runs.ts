/** Runs of dimmed messages in an export: each becomes a rollback, unless a rollback of the export covers it. */
import { joined, limits, type MessageRow, type NewChange, type OrdRange, type RollbackRow } from "@parlor/protocol"
import { newRollback, rollbackChange } from "../rollback/plan.ts"
import { broken } from "./contents.ts"
import type { TransferAccess } from "./import-access.ts"

type Run = {
  readonly to: MessageRow["id"] | null
  readonly toOrd: number
  from: MessageRow["id"]
  fromOrd: number
}

export class DimmedRuns {
  readonly #runs: Run[] = []
  readonly #covered: OrdRange[] = []
  #count = 0
  #last: Pick<MessageRow, "id" | "dimmed"> | undefined

  add({ id, ord, dimmed }: Pick<MessageRow, "id" | "ord" | "dimmed">, number: number): void {
    const run = this.#runs.at(-1)
    if (dimmed && this.#last?.dimmed && run !== undefined) {
      run.from = id
      run.fromOrd = ord
    } else if (dimmed) {
      this.#runs.push({ to: this.#last?.id ?? null, toOrd: ord - 1, from: id, fromOrd: ord })
      if (this.#runs.length > limits.rollbacks) throw tooMany(number)
    }
    this.#last = { id, dimmed }
  }

  cover({ toOrd, fromOrd, scope }: RollbackRow, inForce: boolean, number: number): void {
    this.#count += 1
    if (this.#count > limits.rollbacks) throw tooMany(number)
    if (inForce && scope !== "files") this.#covered.push({ toOrd, fromOrd })
  }

  /** `after`: how many messages the conversation had before. */
  rollbacks(node: TransferAccess, after: number, began = 0): readonly NewChange[] {
    // Merged ranges do not touch: a covered run is within one of them.
    const covered = joined(this.#covered)
    const open = this.#runs.filter(
      (run) => !covered.some((range) => range.toOrd <= run.toOrd && range.fromOrd >= run.fromOrd),
    )
    const at = node.clock.now()
    return open.map(({ to, toOrd, from, fromOrd }) => {
      const ords = { toOrd: toOrd + after, fromOrd: fromOrd + after }
      return rollbackChange(newRollback({ id: node.ids.next("rbk"), to, from, ...ords, began, at }), "insert")
    })
  }
}

function tooMany(number: number): Error {
  return broken(number, `is past the limit of ${limits.rollbacks} rollbacks`)
}
