import { ask, expect, freshName, makeUser, must, pause, quantile } from "../target.mjs"

export const description =
  "A queue of paused messages of 1 MB each slows neither its own conversation nor anybody else: it is not read for a send."
export const rule = "QUE-17"

const MESSAGE_BYTES = 1_000_000
const SENDS = 20
/** Compared with an empty queue and a quiet server in the same run, and generous: other work shares the machine. */
const MOST_TIMES = 5
const RATE_PAUSE_MS = 250
const MOST_TRIES = 40
/** Below this a difference is noise. */
const NOISE_MS = 20

/** @typedef {{ token: string, headers: Record<string, string> }} User */

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const messages = long ? 400 : 107
  const user = await makeUser(target)
  const bystander = await makeUser(target)
  const small = await newConversation(target, user)
  const large = await newConversation(target, user)
  const own = await newConversation(target, bystander)

  const quiet = await sendsBeside(target, { user, path: small, bystander, own })
  const payload = "x".repeat(MESSAGE_BYTES)
  for (let n = 0; n < messages; n++) await send(target, user, large, payload)
  const loaded = await sendsBeside(target, { user, path: large, bystander, own })

  const cleared = await ask(target, "DELETE", `${large}/queue`, user)
  expect(cleared.status === 200, `clearing the queue: ${cleared.status} ${cleared.text.slice(0, 300)}`)
  expect(JSON.parse(cleared.text).removed === messages + SENDS, `cleared ${cleared.text}, not ${messages + SENDS}`)
  for (const path of [small, large]) await must(target, "DELETE", path, user)
  await must(target, "DELETE", own, bystander)

  const seen = { messages, quiet, loaded, clearMs: Math.round(cleared.ms) }
  for (const name of /** @type {const} */ (["sendMs", "bystanderMs"]))
    expect(loaded[name] <= MOST_TIMES * quiet[name] + NOISE_MS, `${name} grew with the queue: ${JSON.stringify(seen)}`)
  return seen
}

/**
 * Small messages into a queue, while somebody else reads a conversation of their own: the median of each, in ms.
 *
 * @param {import("../target.mjs").Target} target
 * @param {{ user: User, path: string, bystander: User, own: string }} scene
 */
async function sendsBeside(target, { user, path, bystander, own }) {
  let isOver = false
  /** @type {number[]} */
  const reads = []
  const reading = (async () => {
    while (!isOver) reads.push((await ask(target, "GET", own, bystander)).ms)
  })()
  /** @type {number[]} */
  const sends = []
  try {
    for (let n = 0; n < SENDS; n++) sends.push(await send(target, user, path, "small"))
  } finally {
    isOver = true
    await reading
  }
  return { sendMs: rounded(quantile(sends, 0.5)), bystanderMs: rounded(quantile(reads, 0.5)) }
}

/**
 * @param {import("../target.mjs").Target} target
 * @param {User} user
 */
async function newConversation(target, user) {
  const path = `/v1/conversations/host/${freshName("large-queue")}`
  await must(target, "PUT", path, user)
  return path
}

/**
 * As fast as the server's rate allows. Returns how long the one that was taken took, in ms.
 *
 * @param {import("../target.mjs").Target} target
 * @param {User} user
 * @param {string} path
 * @param {string} text
 */
async function send(target, user, path, text) {
  for (let tries = 1; ; tries++) {
    const body = { text, mode: "paused" }
    const { status, text: answer, ms } = await ask(target, "POST", `${path}/messages`, { ...user, body })
    if (status === 202) return ms
    expect(status === 429 && tries < MOST_TRIES, `a send: ${status} ${answer.slice(0, 300)}`)
    await pause(RATE_PAUSE_MS)
  }
}

/** @param {number} ms */
function rounded(ms) {
  return Math.round(ms * 10) / 10
}
