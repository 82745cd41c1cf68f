import { expect, it } from "vitest"
import { problemWords } from "../status/problemWords.ts"
import { attachedList, attachedWith, attachedWithout, refusalOfSend } from "./attached.ts"

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
  const node = { kind: "attachment", hash: "c".repeat(64), start: 0, end: 0, raw: "" } as const
  expect(attachedList({ source: "", nodes: [node] })).toEqual([
    { hash: "c".repeat(64), name: "attachment", mediaType: "", bytes: undefined },
  ])
})

it("[CMP-15] a refusal says by name which attachment was deleted, and is left as it is when it is about something else", () => {
  const two = attachedWith(attachedWith({ source: "look" }, view("a")), view("b"))
  const unknown = (digit: string) => ({
    code: "attachment.unknown",
    detail: `There is no attachment with the hash ${digit.repeat(64)}. Upload it first.`,
  })
  expect(problemWords(refusalOfSend(unknown("b"), two))).toEqual({
    title: "An attachment no longer exists",
    detail: "b.png was deleted. Remove it or attach it again, then send.",
  })
  expect(refusalOfSend(unknown("c"), two)).toEqual(unknown("c"))
  const full = { code: "queue.full", detail: `It is full, says ${view("a").hash}.` }
  expect(refusalOfSend(full, two)).toEqual(full)
})
