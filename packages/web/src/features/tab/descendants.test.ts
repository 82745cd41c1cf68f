import { expect, it } from "vitest"
import { allDescendants } from "./descendants.ts"

const tree: Readonly<Record<string, readonly string[]>> = { main: ["a", "b"], a: ["c"], c: ["d"], b: [] }
const listed = async (branch: string) => (tree[branch] ?? []).map((name) => ({ branch: name }))

it("[BRA-6] everything that hangs on it is named, level by level, at whatever depth", async () => {
  expect(await allDescendants("main", listed)).toEqual(["a", "b", "c", "d"])
  expect(await allDescendants("b", listed)).toEqual([])
})

it("[BRA-6] what names itself is looked at once, and there is an end to it", async () => {
  const looked: string[] = []
  const round = async (branch: string) => {
    looked.push(branch)
    return [{ branch: "a" }, { branch: "b" }]
  }
  expect(await allDescendants("main", round)).toEqual(["a", "b"])
  expect(looked).toEqual(["main", "a", "b"])
  let n = 0
  const endless = async () => Array.from({ length: 10 }, () => ({ branch: `b${n++}` }))
  expect((await allDescendants("main", endless)).length).toBeLessThan(2_500)
})

it("[BRA-6] what cannot be looked at is told, not left out", async () => {
  await expect(allDescendants("main", () => Promise.reject(new Error("down")))).rejects.toThrow("down")
})

it("[BRA-6] what hangs on two of them is named once", async () => {
  const shared: Readonly<Record<string, readonly string[]>> = { main: ["a", "b"], a: ["c"], b: ["c"] }
  const looked: string[] = []
  const list = async (branch: string) => {
    looked.push(branch)
    return (shared[branch] ?? []).map((name) => ({ branch: name }))
  }
  expect(await allDescendants("main", list)).toEqual(["a", "b", "c"])
  expect(looked).toEqual(["main", "a", "b", "c"])
})
