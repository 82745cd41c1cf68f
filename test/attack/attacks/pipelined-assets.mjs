import { ask, eventually, expect, expectAlive, measured, open, requestBytes } from "../target.mjs"

export const description = "A stranger asks for the page's files 100 times on each connection at once and disconnects."
export const rule = "SEC-13"

const REQUESTS = 100

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const connections = long ? 80 : 20
  const page = await ask(target, "GET", "/", { token: null })
  const asset = /\/assets\/[\w.-]+\.js/.exec(page.text)?.[0]
  expect(asset !== undefined, `the page at ${target.url.origin} names no script`)
  const before = measured(target)
  const bytes = requestBytes(target, `GET ${asset}`).repeat(REQUESTS)
  for (let n = 0; n < connections; n++) {
    const { socket, closed } = await open(target)
    socket.on("error", () => {})
    socket.write(bytes, () => socket.resetAndDestroy())
    await closed
  }
  await expectAlive(target)
  const left = () => (measured(target)?.descriptors ?? 0) - (before?.descriptors ?? 0)
  await eventually("descriptors are given back", 10_000, () => {
    expect(left() <= 20, `${left()} descriptors more than before`)
  })
  return { connections, requests: connections * REQUESTS, descriptorsLeft: left() }
}
