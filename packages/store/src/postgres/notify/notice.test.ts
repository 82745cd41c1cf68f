import type { StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeNotice, encodeNotices, encodeOffers, NAMED_STREAMS, REMOVED } from "./notice.ts"

const id = (n: number) => n as StreamId

test("notifications are decoded as encoded, in payloads PostgreSQL accepts", () => {
  const anyNumber = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constant(REMOVED))
  const anyHeads = fc.array(fc.tuple(anyNumber.map(id), anyNumber), { maxLength: NAMED_STREAMS, size: "max" })
  fc.assert(
    fc.property(anyHeads, (entries) => {
      const heads = new Map(entries)
      const notices = encodeNotices("node", heads)
      for (const notice of notices) expect(Buffer.byteLength(notice)).toBeLessThan(8_000)
      const heard = notices.map(decodeNotice).flatMap((notice) => {
        expect(notice.node).toBe("node")
        return notice.heads === "everything" ? [] : [...notice.heads]
      })
      expect(new Map(heard)).toEqual(heads)
    }),
    { numRuns: 30 },
  )
})

test("[TRN-19] offered streams are decoded as such, in payloads PostgreSQL accepts", () => {
  const streams = Array.from({ length: NAMED_STREAMS }, (_, i) => id(Number.MAX_SAFE_INTEGER - i))
  const notices = encodeOffers("node", streams)
  for (const notice of notices) expect(Buffer.byteLength(notice)).toBeLessThan(8_000)
  expect(notices.map(decodeNotice).flatMap(({ offers }) => offers)).toEqual(streams)
  expect(decodeNotice("n 1.2")).toMatchObject({ offers: [] })
  expect(decodeNotice("n !1,x.y,!")).toMatchObject({ offers: [id(1)], heads: new Map() })
})

test("too many streams, or an unreadable payload, means everything", () => {
  const many = new Map(Array.from({ length: NAMED_STREAMS + 1 }, (_, i) => [id(i), 1]))
  expect(encodeNotices("n", many)).toEqual(["n *"])
  for (const payload of ["n *", "n", "", "n 1.2,", "n 1.2;3", "n 1"])
    expect(decodeNotice(payload).heads).toBe("everything")
})
