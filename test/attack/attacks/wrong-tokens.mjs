import { Agent } from "node:http"
import { ask, expect, makeUser, quantile } from "../target.mjs"

export const description = "Thousands of wrong tokens do not keep out a right one from the same address."
export const rule = "SEC-17"

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const guesses = long ? 20_000 : 1_500
  const unseen = await makeUser(target, { person: null })
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  /** @type {Record<number, number>} */
  const seen = {}
  for (let n = 0; n < guesses; n += 50)
    for (const { status } of await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ask(target, "GET", "/v1/agents", { agent, token: `parlor_wrong-${n + i}-${"0".repeat(24)}` }),
      ),
    ))
      seen[status] = (seen[status] ?? 0) + 1
  agent.destroy()
  expect((seen[429] ?? 0) > 0 && (seen[401] ?? 0) > 0, `wrong tokens were answered ${JSON.stringify(seen)}`)
  const first = await ask(target, "GET", "/v1/agents", { token: unseen.token })
  expect(first.status === 200, `a key that was never used here before: ${first.status} ${first.text}`)
  /** @type {number[]} */
  const times = []
  for (let n = 0; n < 20; n++) times.push((await ask(target, "GET", "/v1/agents", { token: unseen.token })).ms)
  return { seen, p99Ms: Math.round(quantile(times, 0.99)) }
}
