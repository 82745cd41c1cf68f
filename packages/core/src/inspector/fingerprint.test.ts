import fc from "fast-check"
import { expect, it } from "vitest"
import type { ModelRequest } from "../ports/model.ts"
import { fingerprint } from "./fingerprint.ts"
import { stretches } from "./noting.ts"

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  instructions: "Be a crab.",
  messages: [{ role: "person", text: "When is the tide?" }],
  tools: [{ name: "lookup", description: "", inputSchema: {} }],
  ...change,
})

it("[LOG-15] a request that differs in a word, a tool, an attachment or its order has a different fingerprint", () => {
  const data = new Uint8Array(3)
  const others = [
    request({ instructions: "Be a lobster." }),
    request({ messages: [{ role: "person", text: "When is the time?" }] }),
    request({
      messages: [{ role: "person", text: "When is the tide?", attachments: [{ name: "a", mediaType: "b", data }] }],
    }),
    request({ messages: [...request().messages, ...request().messages] }),
    request({ tools: [] }),
  ]
  const marks = [request(), ...others].map(fingerprint)
  expect(new Set(marks).size).toBe(marks.length)
  expect(fingerprint(JSON.parse(JSON.stringify(request())) as ModelRequest)).toBe(marks[0])
})

it("[LOG-15] any change of one character changes the fingerprint", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (text, place, char) => {
        const at = place % text.length
        const changed = text.slice(0, at) + char + text.slice(at + 1)
        const mark = (said: string) => fingerprint(request({ messages: [{ role: "person", text: said }] }))
        expect(mark(text) === mark(changed)).toBe(text === changed)
      },
    ),
  )
})

it("[LOG-15] the messages shown are recorded as ranges", () => {
  expect(stretches([])).toEqual([])
  expect(stretches([1, 2, 3, 7, 8, 10].map((ord) => ({ ord })))).toEqual([
    [1, 3],
    [7, 8],
    [10, 10],
  ])
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60)), (ords) => {
      const sorted = [...ords].sort((a, b) => a - b)
      const back = stretches(sorted.map((ord) => ({ ord }))).flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, index) => from + index),
      )
      expect(back).toEqual(sorted)
    }),
  )
})
