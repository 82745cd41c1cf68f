import type { BranchView, MessageId, MessageRow } from "@parlor/protocol"
import fc from "fast-check"
import { expect, it } from "vitest"
import { calledOf, groupBranches, originExcerpt } from "./branchView.ts"
import { lastSettled } from "./side.ts"

const branch = (name: string, ephemeral: boolean) => ({ branch: name, title: `About ${name}`, ephemeral }) as BranchView
const said = (id: string, text: string) =>
  ({ id: id as MessageId, parts: [{ type: "text", text }] }) satisfies Pick<MessageRow, "id" | "parts">

it("[BRA-4] sidecars are listed apart from branches, each by its title", () => {
  const { branches, sidecars } = groupBranches([branch("a", false), branch("b", true), branch("c", false)])
  expect([branches.map(calledOf), sidecars.map(calledOf)]).toEqual([["About a", "About c"], ["About b"]])
  expect(calledOf({ title: "" })).toBe("New conversation")
})

it("[BRA-4] a sidecar says what it hangs on, in one short line", () => {
  const messages = [said("m1", "About\n\napples"), said("m2", "x".repeat(300))]
  expect(originExcerpt({ message: "m1" as MessageId }, messages)).toBe("About apples")
  expect(originExcerpt({ message: "m2" as MessageId }, messages)).toHaveLength(120)
  expect(originExcerpt({ message: "gone" as MessageId }, messages)).toBe("")
  expect(originExcerpt(null, messages)).toBe("")
})

it("[BRA-3] an aside about nothing in particular hangs on the last message that is settled and not rolled back", () => {
  const rows = [
    { id: "m1" as MessageId, state: "done", dimmed: false },
    { id: "m2" as MessageId, state: "done", dimmed: true },
    { id: "m3" as MessageId, state: "streaming", dimmed: false },
  ] as const
  expect(lastSettled(rows)).toBe("m1")
  expect(lastSettled([])).toBeUndefined()
})

it("[BRA-4] a quote is cut between characters, takes words only, and never grows", () => {
  const of = (text: string) => originExcerpt({ message: "m1" as MessageId }, [said("m1", text)])
  expect(of(`${"x".repeat(118)}👍👍`)).toBe(`${"x".repeat(118)}…`)
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const quoted = of(text)
      expect(quoted.isWellFormed()).toBe(true)
      expect(quoted.length).toBeLessThanOrEqual(120)
      expect(text.replace(/\s+/g, " ").trim().startsWith(quoted.replace(/…$/, ""))).toBe(true)
    }),
  )
  const tool = { type: "tool", call: "c", name: "t", input: {}, state: "done", output: "out", error: null } as const
  const parts = [{ type: "text", text: "one" }, tool, { type: "text", text: "two" }] as unknown as MessageRow["parts"]
  expect(originExcerpt({ message: "m1" as MessageId }, [{ id: "m1" as MessageId, parts }])).toBe("one two")
})
