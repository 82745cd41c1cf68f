import { expect, it } from "vitest"
import { attachedList, attachedWith, attachedWithout } from "./attached.ts"

const view = (digit: string) => ({ hash: digit.repeat(64), name: `${digit}.png`, mediaType: "image/png", bytes: 7 })

it("[CMP-15] what is attached goes along with the text, once, and can be taken off", () => {
  const one = attachedWith({ source: "look" }, view("a"))
  const two = attachedWith(attachedWith(one, view("b")), view("a"))
  expect(attachedList(two)).toEqual([view("b"), view("a")])
  expect(two.nodes?.every(({ start, end, raw }) => start === 4 && end === 4 && raw === "")).toBe(true)
  expect(attachedList(attachedWithout(two, view("b").hash))).toEqual([view("a")])
  expect(attachedWithout(one, view("a").hash)).toEqual({ source: "look" })
})

it("one of which only the hash is known is shown all the same", () => {
  const node = { kind: "attachment", hash: "c".repeat(64), start: 0, end: 0, raw: "" }
  expect(attachedList({ source: "", nodes: [node] })).toEqual([
    { hash: "c".repeat(64), name: "attachment", mediaType: "", bytes: undefined },
  ])
})
