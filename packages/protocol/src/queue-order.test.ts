import fc from "fast-check"
import { expect, test } from "vitest"
import type { MessageId } from "./ids.ts"
import { inQueueOrder, queuePlace } from "./queue-order.ts"

const row = fc.record({
  position: fc.stringMatching(/^[A-Za-z][0-9A-Za-z]{0,4}$/),
  queuedAt: fc.oneof(fc.nat({ max: 20 }), fc.nat()),
  id: fc.stringMatching(/^msg_[0-9a-z]{1,3}$/).map((id) => id as MessageId),
})

test("[QUE-3] queued messages are in order of position, then time of arrival, then id", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const byRule = rows.toSorted(
        (a, b) => compare(a.position, b.position) || a.queuedAt - b.queuedAt || compare(a.id, b.id),
      )
      expect(inQueueOrder(rows)).toEqual(byRule)
      const byBytes = rows.toSorted((a, b) => Buffer.compare(Buffer.from(queuePlace(a)), Buffer.from(queuePlace(b))))
      expect(byBytes).toEqual(byRule)
    }),
  )
})

test("[QUE-3] messages that are alike in all of it stay as they were", () => {
  const alike = ["one", "two", "three"].map((name) => ({ position: "a0", queuedAt: 1, id: "msg_a" as MessageId, name }))
  expect(inQueueOrder(alike).map(({ name }) => name)).toEqual(["one", "two", "three"])
})

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
