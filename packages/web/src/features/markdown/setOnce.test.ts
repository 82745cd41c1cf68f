import { expect, it } from "vitest"
import { MAX_KEPT, setOnce, type Tree } from "./setOnce.ts"

const formula = (tex: string): Tree => ({
  type: "element",
  tagName: "code",
  properties: { className: ["language-math"] },
  children: [{ type: "text", value: tex }],
})
const own = (tex: string): Tree => ({ type: "element", tagName: "pre", properties: {}, children: [formula(tex)] })
const root = (...children: Tree[]): Tree => ({ type: "root", children })

function counted() {
  const set: string[] = []
  const setting = setOnce((tree) => {
    set.push(JSON.stringify(tree))
    tree.children = [{ type: "element", tagName: "span", properties: { made: set.length } }]
  })
  return { set, setting }
}

it("[TAB-7] the same formula is set once, in whatever place it stands", () => {
  const { set, setting } = counted()
  const first = root({ type: "element", tagName: "p", children: [formula("x"), { type: "text", value: " and " }] })
  setting(first, undefined)
  expect(first.children?.[0]?.children?.[0]?.properties).toEqual({ made: 1 })
  const again = root(formula("x"), formula("y"))
  setting(again, undefined)
  expect(set).toHaveLength(2)
  expect(again.children?.map((child) => child.properties?.made)).toEqual([1, 2])
})

it("one on lines of its own is another than the same one within a line, and other code is left alone", () => {
  const { set, setting } = counted()
  const code: Tree = { type: "element", tagName: "code", properties: { className: ["language-ts"] }, children: [] }
  const tree = root(formula("x"), own("x"), code)
  setting(tree, undefined)
  expect(set).toHaveLength(2)
  expect(tree.children?.[2]).toBe(code)
})

it("keeps so many and no more", () => {
  const kept = new Map<string, readonly Tree[]>()
  const setting = setOnce(() => undefined, kept)
  for (let n = 0; n < MAX_KEPT + 10; n++) setting(root(formula(`x${n}`)), undefined)
  expect(kept.size).toBe(MAX_KEPT)
  expect(kept.has("code x0")).toBe(false)
})
