import { ask, bystander, expect, expectAlive, freshName, makeUser, must, pause } from "../target.mjs"

export const description = "200 schedules of one second begin no more model calls than one person may."
export const rule = "SEC-21"

/** What may begin without anybody waiting: half of 600 a minute, and half of 60 at once. */
const PER_MINUTE = 300
const AT_ONCE = 30

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const user = await makeUser(target)
  const others = bystander(target)
  const seconds = long ? 60 : 6
  /** @type {string[]} */
  const ids = []
  try {
    const began = performance.now()
    for (let n = 0; n < 200; n++) {
      const branch = freshName("every-second")
      await must(target, "PUT", `/v1/conversations/host/${branch}`, user)
      const body = { agent: "host", branch, when: { everyMs: 1_000 }, text: "again" }
      const made = await ask(target, "POST", "/v1/schedules", { ...user, body })
      expect(made.status < 500, `${made.status} ${made.text.slice(0, 200)}`)
      if (made.status === 201) ids.push(JSON.parse(made.text).id)
    }
    await pause(seconds * 1_000)
    const { calls } = await must(target, "GET", "/v1/usage", user)
    const minutes = (performance.now() - began) / 60_000
    const most = AT_ONCE + PER_MINUTE * minutes + 5
    expect(calls > 0, "no schedule called a model")
    expect(calls <= most, `${calls} calls in ${minutes.toFixed(2)} min; at most ${Math.round(most)} may begin`)
    const seen = await others.stop(0)
    expect(seen.p99Ms < 5_000, `others waited ${seen.p99Ms} ms`)
    return { schedules: ids.length, calls, most: Math.round(most), ...seen }
  } finally {
    await others.stop(0)
    for (const id of ids) await ask(target, "DELETE", `/v1/schedules/${id}`, user)
    await expectAlive(target, 20_000)
  }
}
