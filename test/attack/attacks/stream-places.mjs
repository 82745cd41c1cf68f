import { ask, eventually, expect, expectAlive, freshName, makeUser, must, open, requestBytes } from "../target.mjs"

export const description =
  "Streams that are opened and reset at once, and hundreds of pipelined ones of a read-only key, keep nobody's place."
export const rule = "SEC-14"

const PLACES = 300

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const branch = freshName("places")
  const path = `/v1/conversations/host/${branch}/events?offset=-1&live=sse`
  await must(target, "PUT", `/v1/conversations/host/${branch}`)
  const reader = await makeUser(target, { scopes: ["read"], person: null })
  const bytes = requestBytes(target, `GET ${path}`, { Authorization: `Bearer ${reader.token}` })
  const resets = long ? 3 * PLACES : PLACES + 20
  for (let n = 0; n < resets; n += 20) await Promise.all(Array.from({ length: 20 }, () => resetAtOnce(target, bytes)))
  await opens(target, path, reader.token, "after streams that were reset at once")
  const piped = await open(target)
  piped.socket.on("error", () => {})
  piped.socket.write(bytes.repeat(PLACES + 10))
  await opens(target, path, undefined, "while a read-only key asks for all places")
  await must(target, "DELETE", `/v1/keys/${reader.id}`)
  await eventually("a revoked key's streams are cut", 5_000, () => expect(piped.socket.destroyed, "still open"))
  await opens(target, path, undefined, "after it was revoked")
  await expectAlive(target)
  await must(target, "DELETE", `/v1/conversations/host/${branch}`)
  return { resets, pipelined: PLACES + 10 }
}

/**
 * @param {import("../target.mjs").Target} target
 * @param {string} bytes
 */
async function resetAtOnce(target, bytes) {
  const { socket, closed } = await open(target)
  socket.on("error", () => {})
  socket.write(bytes, () => socket.resetAndDestroy())
  await closed
}

/**
 * As many as a person may have can be opened: none is taken by somebody who left.
 *
 * @param {import("../target.mjs").Target} target
 * @param {string} path
 * @param {string | undefined} token
 * @param {string} when
 */
async function opens(target, path, token, when) {
  await eventually(`a stream opens ${when}`, 5_000, async () => {
    const { socket, text } = await open(target)
    socket.on("error", () => {})
    socket.write(requestBytes(target, `GET ${path}`, { Authorization: `Bearer ${token ?? target.token}` }))
    try {
      await eventually("an answer", 2_000, () => expect(text().includes("\r\n"), "nothing"))
      expect(text().startsWith("HTTP/1.1 200"), text().slice(0, 300))
    } finally {
      socket.destroy()
    }
  })
  const health = await ask(target, "GET", "/v1/agents")
  expect(health.status === 200, `${health.status}`)
}
