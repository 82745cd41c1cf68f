import { Agent, request } from "node:http"
import { ask, expect, expectAlive, freshName, makeUser, measured, must, pause, placeOf, quantile } from "../target.mjs"

export const description =
  "A person imports very many lines and very many bytes, good and bad; nobody else waits, and memory stays bounded."
export const rule = "LOG-28"

const RSS_MB = 600
/** With nothing else to do no command waits more than 100 ms; this is for a busy machine that runs the attacker too. */
const QUIET_MS = 1_200
const BUSY_FACTOR = 12
const BETWEEN_MS = 5

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const before = measured(target)
  const quiet = (await attacked(target, () => pause(2_000))).seen
  const mostMs = Math.max(QUIET_MS, BUSY_FACTOR * quiet.maxMs)
  const lines = long ? 100_000 : 20_000
  const bytes = (long ? 240 : 24) * 1024 * 1024
  const many = await attacked(target, () => importLines(target, "many-lines", plainLines(lines, 60)))
  const much = await attacked(target, () => importLines(target, "many-bytes", plainLines(bytes / 100_000, 100_000)))
  const bad = await attacked(target, () => importLines(target, "bad-line", badAt(lines / 2, lines)))
  for (const { answer } of [many, much]) expect(answer.status === 201, `an import was answered with ${answer.status}`)
  expect(bad.answer.status === 422, `a bad line was answered with ${bad.answer.status}`)
  expect(bad.answer.text.includes(`Line ${lines / 2} `), `no line number in ${bad.answer.text}`)
  const left = await ask(target, "GET", "/v1/conversations/host/bad-line")
  expect(left.status === 404, `${left.status} for what a refused import left`)
  for (const branch of ["many-lines", "many-bytes"]) await ask(target, "DELETE", `/v1/conversations/host/${branch}`)
  await expectAlive(target)
  const seen = { quiet, many: many.seen, much: much.seen, bad: bad.seen, before, after: measured(target) }
  for (const { maxMs, rssMb } of [many.seen, much.seen, bad.seen]) {
    expect(maxMs < mostMs, `others waited ${maxMs} ms: ${JSON.stringify(seen)}`)
    expect(rssMb === undefined || rssMb < RSS_MB, `${rssMb} MB: ${JSON.stringify(seen)}`)
  }
  return seen
}

/**
 * What somebody else waits for their commands while `attack` goes on, and the most memory the server had.
 *
 * @template T
 * @param {import("../target.mjs").Target} target
 * @param {() => Promise<T>} attack
 */
async function attacked(target, attack) {
  const bystander = await makeUser(target)
  const branch = freshName("bystander")
  const path = `/v1/conversations/host/${branch}`
  const agent = new Agent({ keepAlive: true })
  const as = { token: bystander.token, headers: bystander.headers, agent }
  await must(target, "PUT", path, as)
  /** @type {number[]} */
  const times = []
  let rssMb = measured(target)?.rssMb
  let isOver = false
  const began = performance.now()
  const answering = attack().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const title = `Title ${times.length}`
    const { status, ms } = await ask(target, "PATCH", path, { ...as, body: { title } })
    expect(status === 200, `a bystander was answered with ${status}`)
    times.push(ms)
    const now = measured(target)?.rssMb
    if (now !== undefined) rssMb = Math.max(rssMb ?? 0, now)
    await pause(BETWEEN_MS)
  }
  const answer = await answering
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(1))
  agent.destroy()
  await must(target, "DELETE", path, { token: bystander.token, headers: bystander.headers })
  const ms = (/** @type {number} */ part) => Math.round(quantile(times, part))
  const seen = { seconds, commands: times.length, p50Ms: ms(0.5), p99Ms: ms(0.99), maxMs: ms(1), rssMb }
  return { answer, seen }
}

/**
 * Sends lines as fast as they are taken; as the target's owner unless `as` says otherwise.
 *
 * @param {import("../target.mjs").Target} target
 * @param {string} branch
 * @param {Iterable<string>} lines
 * @param {Record<string, string>} [as]
 * @returns {Promise<{ status: number, text: string }>}
 */
export function importLines(target, branch, lines, as = { authorization: `Bearer ${target.token}` }) {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const headers = { ...as, "content-type": "application/jsonl" }
    const path = `/v1/import?agent=host&branch=${branch}`
    const asked = request({ agent: false, method: "POST", path, headers, ...placeOf(target) }, (incoming) => {
      isAnswered = true
      let text = ""
      incoming.on("data", (chunk) => {
        text += chunk
      })
      incoming.on("error", reject)
      incoming.on("end", () => {
        asked.destroy()
        resolve({ status: incoming.statusCode ?? 0, text })
      })
    })
    asked.on("error", (error) => {
      if (!isAnswered) reject(error)
    })
    void send(asked, lines, () => isAnswered)
  })
}

/**
 * @param {import("node:http").ClientRequest} asked
 * @param {Iterable<string>} lines
 * @param {() => boolean} isOver
 */
async function send(asked, lines, isOver) {
  let chunk = ""
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < 64 * 1024) continue
    const isTaken = asked.write(chunk)
    chunk = ""
    if (isTaken) await pause(0)
    else await Promise.race([new Promise((done) => asked.once("drain", done)), pause(60_000)])
    if (isOver() || asked.destroyed) return
  }
  asked.end(chunk)
}

/**
 * @param {number} count
 * @param {number} chars
 */
export function* plainLines(count, chars) {
  for (let n = 1; n <= count; n++) {
    const role = n % 2 === 0 ? "agent" : "person"
    yield JSON.stringify({ role, text: `${n} ${"some words of a line ".repeat(chars / 21)}` })
  }
}

/**
 * @param {number} bad
 * @param {number} count
 */
function* badAt(bad, count) {
  let number = 0
  for (const line of plainLines(count, 60)) {
    number++
    yield number === bad ? "{" : line
  }
}
