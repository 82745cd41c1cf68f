import { ask, elsewhere, expect, expectAlive, measured, open, quantile } from "../target.mjs"

export const description = "A stranger opens more connections than the process has descriptors, and says nothing."
export const rule = "SEC-13"

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const wanted = long ? 5_000 : 1_300
  const before = measured(target)
  /** @type {import("node:net").Socket[]} */
  const sockets = []
  let refused = 0
  try {
    for (const from of [elsewhere(target), undefined])
      for (let opened = 0; opened < wanted; opened += 50)
        for (const one of await Promise.allSettled(Array.from({ length: 50 }, () => open(target, { from }))))
          if (one.status === "fulfilled") {
            one.value.socket.on("error", () => {})
            sockets.push(one.value.socket)
          } else refused++
    /** @type {number[]} */
    const times = []
    for (let n = 0; n < 20; n++) {
      const { status, ms } = await ask(target, "GET", "/v1/agents")
      expect(status === 200, `${status} while strangers hold connections`)
      times.push(ms)
    }
    const held = sockets.filter((socket) => !socket.destroyed).length
    return {
      opened: sockets.length,
      refused,
      held,
      p99Ms: Math.round(quantile(times, 0.99)),
      before,
      during: measured(target),
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    await expectAlive(target, 20_000)
  }
}
