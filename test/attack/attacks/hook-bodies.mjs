import {
  ask,
  bystander,
  eventually,
  expect,
  expectAlive,
  makeUser,
  measured,
  must,
  open,
  requestBytes,
} from "../target.mjs"

export const description =
  "Strangers send large bodies to webhooks that do not exist, and unsigned ones, never finished, to one that does."
export const rule = "SEC-15"

const BYTES = 1024 * 1024

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const user = await makeUser(target)
  const hook = await must(target, "POST", "/v1/hooks", { ...user, body: { agent: "host", template: "{{body.text}}" } })
  const before = measured(target)
  const others = bystander(target)
  /** @type {{ socket: import("node:net").Socket, text: () => string }[]} */
  const held = []
  const count = long ? 400 : 60
  try {
    const empty = await open(target)
    empty.socket.on("error", () => {})
    empty.socket.write(requestBytes(target, "POST /hooks/hook_nobody", { "Content-Length": String(BYTES) }))
    await eventually("an unknown webhook is told before its body was sent", 5_000, () => {
      expect(empty.text().startsWith("HTTP/1.1 404"), empty.text().slice(0, 100))
    })
    empty.socket.destroy()
    for (let n = 0; n < count; n++) {
      const to = n % 2 === 0 ? "hook_nobody" : hook.id
      const one = await open(target)
      one.socket.on("error", () => {})
      one.socket.write(requestBytes(target, `POST /hooks/${to}`, { "Content-Length": String(BYTES) }))
      one.socket.write(Buffer.alloc(BYTES - 1, "x"))
      held.push(one)
    }
    await eventually("what is too much is refused", 10_000, () => {
      expect(
        held.some(({ text }) => text().startsWith("HTTP/1.1 503")),
        "nothing was refused",
      )
    })
    const seen = await others.stop(long ? 10_000 : 1_000)
    const during = measured(target)
    expect((during?.rssMb ?? 0) - (before?.rssMb ?? 0) < 200, `from ${before?.rssMb} to ${during?.rssMb} MB`)
    expect(seen.p99Ms < 5_000, `others waited ${seen.p99Ms} ms`)
    return { connections: count, ...seen, before, during }
  } finally {
    await others.stop(0)
    for (const { socket } of held) socket.destroy()
    await ask(target, "DELETE", `/v1/hooks/${hook.id}`, user)
    await expectAlive(target, 20_000)
  }
}
