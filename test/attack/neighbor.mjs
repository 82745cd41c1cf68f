/**
 * A hostile neighbor (SEC-18): one person does what every attack does, all at once, while another one chats.
 *
 *   node test/attack/neighbor.mjs [--seconds 60] [--without sends,schedules] [--url … --token … --pid …]
 *
 * Prints what the other one waits for, and the server's memory and descriptors, before, during and after.
 */
import { Agent } from "node:http"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { importLines, plainLines } from "./attacks/import.mjs"
import { fill } from "./attacks/large-reads.mjs"
import { startServer } from "./server.mjs"
import { ask, freshName, makeUser, measured, must, open, pause, quantile, requestBytes, targetOf } from "./target.mjs"

/** @typedef {{ requests: number, p50Ms: number, p99Ms: number, mostMs: number, rssMb: number, descriptors: number }} Phase */

export const BAR = { p99Ms: 250, rssMb: 600 }
const SAMPLE_MS = 200

/**
 * @param {import("./target.mjs").Target} target
 * @param {{ seconds: number, without?: readonly string[] }} options  `without`: acts that are left out.
 * @returns {Promise<Record<"before" | "during" | "after", Phase>>}
 */
export async function neighbor(target, { seconds, without = [] }) {
  const talk = await chatter(target)
  const calmMs = Math.min(10_000, (seconds * 1_000) / 2)
  const before = await phase(target, talk, calmMs)
  const user = await makeUser(target, { person: freshName("hostile") })
  const branch = freshName("hostile")
  await fill(target, user, branch, 60)
  // A process of its own is not needed, a thread is: what the attacker computes must not delay what is measured.
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { url: target.url.href, token: target.token, user, branch, seconds, without },
  })
  const over = new Promise((/** @type {(value: unknown) => void} */ resolve, reject) => {
    worker.once("message", resolve)
    worker.once("error", reject)
  })
  const during = await phase(target, talk, seconds * 1_000)
  const acts = await over
  await worker.terminate()
  await pause(calmMs / 2)
  const after = await phase(target, talk, calmMs)
  return { before, during: { ...during, ...{ acts } }, after }
}

/**
 * Somebody who chats with the demo model: sends, looks at the conversation, lists, and waits for the answer.
 *
 * @param {import("./target.mjs").Target} target
 */
async function chatter(target) {
  const user = await makeUser(target, { person: freshName("chatter") })
  const path = `/v1/conversations/host/${freshName("chat")}`
  // As browsers and the SDK do: one connection, kept.
  const agent = new Agent({ keepAlive: true })
  await must(target, "PUT", path, user)
  return async (/** @type {(ms: number) => void} */ waited) => {
    const timed = async (/** @type {string} */ method, /** @type {string} */ at, /** @type {unknown} */ body) => {
      const { status, ms, text } = await ask(target, method, at, {
        ...user,
        agent,
        ...(body === undefined ? {} : { body }),
      })
      if (status >= 300) throw new Error(`${method} ${at}: ${status} ${text.slice(0, 200)}`)
      waited(ms)
      return JSON.parse(text)
    }
    await timed("POST", `${path}/messages`, { text: "hello" })
    for (;;) {
      const { status } = await timed("GET", path, undefined)
      if (status.state === "idle") break
      await pause(50)
    }
    await timed("GET", "/v1/conversations", undefined)
    // Half a minute of turns is more than one person may send in a minute.
    await pause(150)
  }
}

/**
 * @param {import("./target.mjs").Target} target
 * @param {(waited: (ms: number) => void) => Promise<void>} talk
 * @param {number} ms
 * @returns {Promise<Phase>}
 */
async function phase(target, talk, ms) {
  /** @type {number[]} */
  const times = []
  let [rssMb, descriptors] = [0, 0]
  const look = () => {
    const now = measured(target)
    rssMb = Math.max(rssMb, now?.rssMb ?? 0)
    descriptors = Math.max(descriptors, now?.descriptors ?? 0)
  }
  const timer = setInterval(look, SAMPLE_MS)
  const until = performance.now() + ms
  while (performance.now() < until) await talk((waited) => times.push(waited))
  clearInterval(timer)
  look()
  const [p50Ms = 0, p99Ms = 0, mostMs = 0] = [0.5, 0.99, 1].map((share) => Math.round(quantile(times, share)))
  return { requests: times.length, p50Ms, p99Ms, mostMs, rssMb, descriptors }
}

/**
 * Everything at once, for so long. Whatever is refused is tried again.
 *
 * @param {{ url: string, token: string, user: Awaited<ReturnType<typeof makeUser>>, branch: string, seconds: number, without: readonly string[] }} given
 */
async function hostile({ url, token, user, branch, seconds, without }) {
  const target = targetOf(url, token, { anywhere: true })
  const until = performance.now() + seconds * 1_000
  const path = `/v1/conversations/host/${branch}`
  const credential = { Authorization: `Bearer ${user.token}`, ...user.headers }
  const reads = [
    `${path}/messages?limit=10000`,
    `${path}?messages=1000`,
    `${path}/events?view=state&offset=-1&messages=1000`,
    `${path}/events?offset=-1`,
    `${path}/export`,
    `${path}/inspect/turns?limit=200`,
    "/v1/search?q=word&limit=100",
  ]
  const hook = await must(target, "POST", "/v1/hooks", { ...user, body: { agent: "host", template: "{{body.text}}" } })
  const queue = `${path}-queue`
  await must(target, "PUT", queue, user)
  /** @type {Record<string, number>} */
  const counts = {}
  /** @param {string} name @param {(n: number) => Promise<unknown>} act */
  const again = async (name, act) => {
    if (without.includes(name)) return
    for (let n = 0; performance.now() < until; n++) {
      await act(n).catch(() => pause(50))
      counts[name] = (counts[name] ?? 0) + 1
    }
  }
  /** A request whose answer nobody reads, and a disconnect later. @param {string} line @param {Buffer} [body] */
  const unread = async (line, body) => {
    const { socket } = await open(target, { reads: false })
    socket.on("error", () => {})
    const length = body === undefined ? {} : { "Content-Length": String(body.length + 1) }
    socket.write(requestBytes(target, line, { ...credential, ...length }))
    if (body !== undefined) socket.write(body)
    await pause(1_000)
    socket.resetAndDestroy()
  }
  const large = Buffer.alloc(1024 * 1024 - 2, "x")
  const page = /\/assets\/[\w.-]+\.js/.exec((await ask(target, "GET", "/", { token: null })).text)?.[0] ?? "/"
  const many = (/** @type {number} */ count, /** @type {() => Promise<void>} */ act) =>
    Array.from({ length: count }, act)
  await Promise.all([
    ...many(22, () => again("unread", (n) => unread(`GET ${reads[n % reads.length]}`))),
    ...many(4, () => again("reads", (n) => ask(target, "GET", reads[n % reads.length] ?? path, user))),
    ...many(20, () => again("streams", () => unread(`GET ${path}/events?offset=-1&live=sse`))),
    ...many(10, () => again("hooks", (n) => unread(`POST /hooks/${n % 2 === 0 ? hook.id : "hook_nobody"}`, large))),
    ...many(2, () =>
      again("sends", () => {
        const body = { text: "y".repeat(900_000), mode: "paused" }
        return ask(target, "POST", `${queue}/messages`, { ...user, body }).then(({ status }) =>
          status === 429 ? pause(1_000) : undefined,
        )
      }),
    ),
    again("pipelined", async () => {
      const { socket, closed } = await open(target)
      socket.on("error", () => {})
      socket.write(requestBytes(target, `GET ${page}`).repeat(100), () => socket.resetAndDestroy())
      await closed
      await pause(20)
    }),
    again("schedules", async (n) => {
      if (n >= 200) return pause(1_000)
      const body = { agent: "host", branch: `${branch}-queue`, when: { everyMs: 1_000 }, text: "again" }
      await ask(target, "POST", "/v1/schedules", { ...user, body })
    }),
    again("imports", async (n) => {
      const imported = `${branch}-import-${n}`
      await importLines(target, imported, plainLines(100, 100_000), credential)
      await ask(target, "DELETE", `/v1/conversations/host/${imported}`, user)
    }),
    again("tokens", () => ask(target, "GET", "/v1/agents", { token: `parlor_${freshName("wrong")}-0000000000000000` })),
  ])
  return counts
}

if (!isMainThread && workerData !== null) parentPort?.postMessage(await hostile(workerData))
else if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main()

async function main() {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      without: { type: "string", default: "" },
      url: { type: "string" },
      token: { type: "string" },
      pid: { type: "string" },
    },
  })
  const pid = values.pid === undefined ? {} : { pid: Number(values.pid) }
  const own = values.url === undefined ? await startServer() : undefined
  const target = own?.target ?? targetOf(values.url ?? "", values.token ?? "", pid)
  try {
    const seen = await neighbor(target, {
      seconds: Number(values.seconds),
      without: values.without.split(","),
    })
    for (const [name, phase] of Object.entries(seen)) console.log(name.padEnd(7), JSON.stringify(phase))
    const { p99Ms, rssMb } = seen.during
    console.log(`p99 ${p99Ms} ms (below ${BAR.p99Ms}: ${p99Ms < BAR.p99Ms ? "yes" : "NO"})`)
    console.log(`RSS ${rssMb} MB (below ${BAR.rssMb}: ${rssMb < BAR.rssMb ? "yes" : "NO"})`)
    return p99Ms < BAR.p99Ms && rssMb < BAR.rssMb ? 0 : 1
  } finally {
    await own?.stop()
  }
}
