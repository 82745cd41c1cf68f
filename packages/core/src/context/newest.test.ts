import type { MessageRow } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { newestMessages } from "./newest.ts"

const rows = (roles: string): MessageRow[] =>
  [...roles].map((role, ord) => ({ role: role === "p" ? "person" : "agent", ord }) as unknown as MessageRow)
const ords = (messages: readonly MessageRow[]) => messages.map(({ ord }) => ord)

describe("the newest messages", () => {
  it("[CPT-9] are at most the given number, cut where a turn begins", () => {
    expect(ords(newestMessages(rows("papaapa"), 4))).toEqual([5, 6])
    expect(ords(newestMessages(rows("papapa"), 4))).toEqual([2, 3, 4, 5])
    expect(ords(newestMessages(rows("papa"), undefined))).toEqual([0, 1, 2, 3])
  })

  it("[CPT-9] a turn longer than the limit is sent whole", () => {
    expect(ords(newestMessages(rows("papaaaaaa"), 3))).toEqual([2, 3, 4, 5, 6, 7, 8])
  })

  it("[CPT-9] always end as before and begin with a person's message", () => {
    const roles = fc.string({ unit: fc.constantFrom("p", "a"), maxLength: 30 })
    fc.assert(
      fc.property(roles, fc.integer({ min: 1, max: 12 }), (text, most) => {
        const all = rows(`p${text}`)
        const kept = newestMessages(all, most)
        expect(kept[0]?.role).toBe("person")
        expect(kept.at(-1)).toBe(all.at(-1))
      }),
    )
  })
})
