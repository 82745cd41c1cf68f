import type { SearchHitView } from "@parlor/protocol"
import fc from "fast-check"
import { expect, it } from "vitest"
import { foundWords, groupsOf, HITS, hitAddress, hitKey, noneWords, stepOf, stepped, whoWords } from "./hits.ts"

const snippet = { text: "red crab", marks: [] }
const message = (id: string, branch: string, more: object = {}): SearchHitView => ({
  kind: "message",
  agent: "host",
  branch,
  title: branch === "main" ? "" : "About red",
  at: 0,
  snippet,
  message: id,
  role: "person",
  author: "",
  dimmed: false,
  ...more,
})
const archive: SearchHitView = {
  kind: "archive",
  agent: "host",
  branch: "main",
  title: "",
  at: 0,
  snippet,
  archive: "arc_1",
}
const memory: SearchHitView = { kind: "memory", scope: "user", name: "tea", description: "Drinks it", at: 0, snippet }
const from = { agent: "critic", branch: "main" }

it("[CPT-8] hits are grouped by conversation, a group standing where its best hit does", () => {
  const groups = groupsOf([message("m1", "red"), memory, message("m2", "main"), message("m3", "red"), archive])
  expect(groups.map(({ title, where, hits }) => [title, where, hits.map(hitKey)])).toEqual([
    ["About red", "host", ["m1", "m3"]],
    ["Memory", "", ["user/tea"]],
    ["New conversation", "host", ["m2", "arc_1"]],
  ])
  expect(groupsOf([message("m1", "red"), memory], "memory").map(({ key }) => key)).toEqual(["memory"])
  expect(groupsOf([])).toEqual([])
})

it("[CPT-8] each leads to what was found: the message, the chapter, the memory", () => {
  expect(hitAddress(message("m1", "red"), from)).toBe("#/host/red/m1")
  expect(hitAddress(archive, from)).toBe("#chapters/host/main/arc_1")
  expect(hitAddress(memory, from)).toBe("#memory/critic/main/user%2Ftea")
})

it("[CPT-8] and says who said it, and whether it was rolled back", () => {
  expect(whoWords(message("m", "main"))).toBe("You")
  expect(whoWords(message("m", "main", { role: "agent", dimmed: true }))).toBe("host · rolled back")
  expect(whoWords(message("m", "main", { role: "agent", author: "critic" }))).toBe("critic")
  expect([whoWords(archive), whoWords(memory)]).toEqual(["Chapter summary", "tea"])
})

it("[TAB-12] arrows go through the hits, and above the first one is the box", () => {
  expect(["ArrowDown", "ArrowUp", "Home", "End", "a"].map(stepOf)).toEqual([
    "next",
    "before",
    "first",
    "last",
    undefined,
  ])
  expect([stepped("next", -1, 3), stepped("next", 2, 3), stepped("before", 0, 3), stepped("before", -1, 3)]).toEqual([
    0, 2, -1, -1,
  ])
  expect([stepped("first", 2, 3), stepped("last", 0, 3), stepped("last", -1, 0)]).toEqual([0, 2, -1])
})

it("[CPT-8] what is counted is what is shown, and a full answer says that there may be more", () => {
  const mixed = [message("m1", "main"), message("m2", "main"), memory]
  expect([foundWords(mixed), foundWords(mixed, "memory"), foundWords(mixed, "archive"), foundWords([])]).toEqual([
    "3 found",
    "1 found",
    "",
    "",
  ])
  const full = [...Array.from({ length: HITS - 1 }, (_, index) => message(`m${index}`, "main")), memory]
  expect([foundWords(full), foundWords(full, "memory")]).toEqual([`Top ${HITS}`, `1 of the top ${HITS}`])
})

it("[CPT-8] when nothing is shown, it says what may help", () => {
  expect(noneWords([], undefined)).toBe("Try fewer words.")
  expect(noneWords([], "host")).toBe("Try fewer words. Or search everywhere, not only with host.")
  expect(noneWords([memory], undefined)).toContain("choose All")
})

it("[CPT-8] every hit is in exactly one group, in the order in which it was found", () => {
  const one = fc.oneof(
    fc.constant(memory),
    fc.constant(archive),
    fc.tuple(fc.uuid(), fc.constantFrom("main", "red", "memory")).map(([id, branch]) => message(id, branch)),
  )
  fc.assert(
    fc.property(fc.array(one, { maxLength: 20 }), (hits) => {
      const groups = groupsOf(hits)
      expect(groups.flatMap((group) => group.hits)).toHaveLength(hits.length)
      expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length)
      const first = groups.map((group) => hits.indexOf(group.hits[0] as SearchHitView))
      expect(first).toEqual([...first].sort((a, b) => a - b))
    }),
  )
})
