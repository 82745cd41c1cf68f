import { getEventListeners } from "node:events"
import { expect, test } from "vitest"
import { Draining } from "./draining.ts"

test("[TRN-17] however many turns run, draining has one listener and tells each of them", async () => {
  const draining = new Draining()
  const never = new Promise<void>(() => {})
  const waits = Array.from({ length: 100 }, () => draining.orBegun(never).catch((error: unknown) => error))
  expect(getEventListeners(draining.signal, "abort")).toHaveLength(1)
  const reason = new Error("stopping")
  draining.abort(reason)
  expect(new Set(await Promise.all(waits))).toEqual(new Set([reason]))
})

test("[TRN-17] work that ends first is not disturbed, and work that begins later is refused", async () => {
  const draining = new Draining()
  expect(await draining.orBegun(Promise.resolve(1))).toBe(1)
  await expect(draining.orBegun(Promise.reject(new Error("failed")))).rejects.toThrow("failed")
  draining.abort(new Error("stopping"))
  await expect(draining.orBegun(Promise.resolve(2))).rejects.toThrow("stopping")
})

test("[TRN-17] work with a signal of its own is told as well, and no listener is left", async () => {
  const draining = new Draining()
  const signals: AbortSignal[] = []
  const begin = () =>
    draining.during(async (signal) => {
      signals.push(signal)
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      return signal.reason as unknown
    })
  const works = Array.from({ length: 100 }, begin)
  const finished = await draining.during(async (signal) => signal)
  expect(getEventListeners(draining.signal, "abort")).toHaveLength(1)
  const reason = new Error("stopping")
  draining.abort(reason)
  expect(new Set(await Promise.all(works))).toEqual(new Set([reason]))
  expect(finished.aborted, "it was over before").toBe(false)
  expect(await draining.during(async (signal) => signal.aborted)).toBe(true)
  expect(new Set(signals).size).toBe(100)
})
