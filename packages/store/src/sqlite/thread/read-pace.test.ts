import { setImmediate, setTimeout } from "node:timers/promises"
import { expect, test } from "vitest"
import { ReadPace } from "./read-pace.ts"

test("[LOG-25] a loop of reads lets others run, and a short request is not delayed by loops", async () => {
  const pace = new ReadPace()
  const busy = async () => {
    const until = performance.now() + 3
    while (performance.now() < until);
  }
  let turns = 0
  let isOver = false
  const loops = Promise.all(
    Array.from({ length: 5 }, async () => {
      for (let n = 0; n < 10; n++) await pace.run(busy)
    }),
  ).then(() => {
    isOver = true
  })
  const ticking = (async () => {
    for (; !isOver; turns++) await setImmediate()
  })()
  const waited: number[] = []
  while (!isOver) {
    await setTimeout(1)
    const before = turns
    for (let n = 0; n < 4; n++) await pace.run(async () => undefined)
    waited.push(turns - before)
  }
  await Promise.all([loops, ticking])
  // 50 reads of 3 ms; one turn of the event loop has time for a few.
  expect(turns).toBeGreaterThan(10)
  // Most: on a busy machine a turn may end before it has done anything.
  expect(waited.filter((count) => count === 0).length).toBeGreaterThan(waited.length / 2)
})

test("[LOG-25] waiting reads run in order, and a read's rejection is passed on", async () => {
  const pace = new ReadPace()
  const order: number[] = []
  const slow = async (n: number) => {
    const until = performance.now() + 5
    while (performance.now() < until);
    order.push(n)
  }
  await Promise.all([0, 1, 2, 3].map((n) => pace.run(() => slow(n))))
  expect(order).toEqual([0, 1, 2, 3])
  await expect(pace.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
})
