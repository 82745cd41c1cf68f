import {
  ask,
  bystander,
  expect,
  expectAlive,
  freshName,
  makeUser,
  measured,
  must,
  open,
  requestBytes,
} from "../target.mjs"

export const description =
  "One user asks for the largest pages, snapshots, states and exports of a long conversation and reads none of them."
export const rule = "LOG-26"

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const user = await makeUser(target)
  const branch = freshName("reads")
  const path = `/v1/conversations/host/${branch}`
  await fill(target, user, branch, long ? 150 : 30)
  const before = measured(target)
  const page = await ask(target, "GET", `${path}/messages?limit=10000`, user)
  expect(page.status === 200, `${page.status} ${page.text.slice(0, 200)}`)
  expect(page.text.length < 4 * 1024 * 1024, `a page of ${page.text.length} bytes`)
  const others = bystander(target)
  /** @type {import("node:net").Socket[]} */
  const sockets = []
  const paths = [
    `${path}/messages?limit=10000`,
    `${path}?messages=1000`,
    `${path}/events?view=state&offset=-1&messages=1000`,
    `${path}/events?offset=-1`,
    `${path}/export`,
    `${path}/inspect/turns?limit=200`,
    "/v1/search?q=word&limit=100",
  ]
  try {
    for (let n = 0; n < (long ? 400 : 60); n++) {
      const { socket } = await open(target, { reads: false })
      socket.on("error", () => {})
      const headers = { Authorization: `Bearer ${user.token}`, ...user.headers }
      socket.write(requestBytes(target, `GET ${paths[n % paths.length]}`, headers))
      sockets.push(socket)
    }
    const seen = await others.stop(long ? 20_000 : 2_000)
    const during = measured(target)
    const grown = (during?.rssMb ?? 0) - (before?.rssMb ?? 0)
    expect(grown < 400, `${grown} MB more than before`)
    expect(seen.p99Ms < 5_000, `others waited ${seen.p99Ms} ms`)
    return { ...seen, before, during }
  } finally {
    await others.stop(0)
    for (const socket of sockets) socket.destroy()
    await expectAlive(target, 20_000)
  }
}

/**
 * Messages of 200 kB, as many as said.
 *
 * @param {import("../target.mjs").Target} target
 * @param {Awaited<ReturnType<typeof makeUser>>} user
 * @param {string} branch
 * @param {number} count
 */
export async function fill(target, user, branch, count) {
  const text = "a word or two ".repeat(14_000)
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ role: n % 2 === 0 ? "person" : "agent", text: `${n} ${text}` }),
  )
  await must(target, "POST", `/v1/import?agent=host&branch=${branch}`, {
    token: user.token,
    headers: { ...user.headers, "content-type": "application/jsonl" },
    body: lines.join("\n"),
  })
}
