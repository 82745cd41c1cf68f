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
