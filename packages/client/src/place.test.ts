import { formatOffset } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { Log } from "../test/rows.ts"
import { placeAt, withChanges, withControl } from "./place.ts"

const log = new Log()
for (let n = 0; n < 20; n++) log.delta("m", n, String(n))

test("[LOG-36] events seen already are dropped, and numbers may be missing", () => {
  const from = placeAt(formatOffset(4))
  expect(withChanges(from, log.changes.slice(2, 6)).fresh).toEqual(log.changes.slice(4, 6))
  const some = [...log.changes.slice(4, 6), ...log.changes.slice(7, 9)]
  expect(withChanges(from, some)).toMatchObject({ gap: false, fresh: some, place: { seq: 9 } })
  const [odd] = log.changes
  const changes = odd === undefined ? [] : [{ ...odd, headers: { ...odd.headers, offset: "odd" } }]
  expect(withChanges(from, changes)).toMatchObject({ gap: true, fresh: [], place: from })
})

test("[LOG-1] a control event that is ahead of what came is a gap", () => {
  const control = (seq: number) => ({ streamNextOffset: formatOffset(seq), upToDate: true })
  expect(withControl(placeAt(formatOffset(4)), control(5)).gap).toBe(true)
  expect(withControl(placeAt(formatOffset(4)), control(4)).gap).toBe(false)
  expect(withControl(placeAt("now"), control(9)).place.seq).toBe(9)
})

test("[LOG-14] current rows have no order to check; the control after them says where the log goes on", () => {
  const rows = withChanges(
    placeAt("-1", true),
    [log.changes[9], log.changes[3]].flatMap((one) => one ?? []),
  )
  expect(rows).toMatchObject({ gap: false, place: { offset: "-1" } })
  expect(rows.fresh).toHaveLength(2)
  const after = withControl(rows.place, { streamNextOffset: formatOffset(12) })
  expect(after.place).toMatchObject({ offset: formatOffset(12), seq: 12, rows: false })
})

test("[LOG-6] whatever slices arrive, what is taken is in the order of the log, each event once", () => {
  const slices = fc.array(fc.tuple(fc.nat(20), fc.nat(6)))
  fc.assert(
    fc.property(slices, (chosen) => {
      let place = placeAt("-1")
      const taken = chosen.flatMap(([from, length]) => {
        const advance = withChanges(place, log.changes.slice(from, from + length))
        place = advance.place
        return advance.fresh
      })
      expect(taken).toEqual(log.changes.filter((change) => taken.includes(change)))
      expect(taken.at(-1)?.headers.offset ?? formatOffset(0)).toBe(formatOffset(place.seq ?? 0))
    }),
  )
})
