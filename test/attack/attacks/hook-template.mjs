import { ask, bystander, expect, expectAlive, makeUser } from "../target.mjs"

export const description = "Templates of webhooks made to be slow to read stall nobody."
export const rule = "SEC-27"

const LENGTH = 16 * 1024

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const user = await makeUser(target)
  const others = bystander(target)
  const templates = [
    `{{${" ".repeat(LENGTH - 2)}`,
    `{{body.${"a.".repeat(LENGTH / 2 - 4)}`,
    "{{".repeat(LENGTH / 2),
    `${"{{ body ".repeat(LENGTH / 8)}`,
  ]
  try {
    for (const template of templates) {
      const made = await ask(target, "POST", "/v1/hooks", { ...user, body: { agent: "host", template } })
      expect(made.status < 500, `making it: ${made.status}`)
      expect(made.ms < 5_000, `making it took ${Math.round(made.ms)} ms`)
      if (made.status !== 201) continue
      const { id } = JSON.parse(made.text)
      for (let n = 0; n < (long ? 20 : 2); n++) {
        const fired = await ask(target, "POST", `/v1/hooks/${id}/fire`, { ...user, body: { text: "x".repeat(10_000) } })
        expect(fired.status < 500, `firing it: ${fired.status} ${fired.text.slice(0, 200)}`)
        expect(fired.ms < 5_000, `firing it took ${Math.round(fired.ms)} ms`)
      }
      await ask(target, "DELETE", `/v1/hooks/${id}`, user)
    }
    const seen = await others.stop(500)
    expect(seen.mostMs < 5_000, `others waited ${seen.mostMs} ms`)
    return { templates: templates.length, ...seen }
  } finally {
    await others.stop(0)
    await expectAlive(target)
  }
}
