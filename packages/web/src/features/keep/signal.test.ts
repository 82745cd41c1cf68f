import { expect, it } from "vitest"
import { signalOf } from "./signal.ts"

it("tells of every change, of nothing else, and not after one has left", () => {
  const signal = signalOf(1)
  const heard: number[] = []
  const leave = signal.subscribe(() => heard.push(signal.get()))
  signal.set(1)
  signal.set(2)
  leave()
  signal.set(3)
  expect(heard).toEqual([2])
  expect(signal.get()).toBe(3)
})

it("whoever leaves while it is told is not missed by the others", () => {
  const signal = signalOf(0)
  const heard: string[] = []
  const leave = signal.subscribe(() => leave())
  signal.subscribe(() => heard.push("second"))
  signal.set(1)
  expect(heard).toEqual(["second"])
})
