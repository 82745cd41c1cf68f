/**
 * What every attack works with: a server to attack, and ways to speak to it that no well-behaved client would use.
 *
 * @typedef {object} Target
 * @property {URL} url
 * @property {string} token  With the right to manage: attacks make the keys of their own users.
 * @property {number} [pid]  Of the server, where it runs on this machine: its memory and descriptors are then measured.
 *
 * @typedef {object} AttackOptions
 * @property {boolean} long  The attack in full instead of a few seconds of it.
 *
 * @typedef {object} Attack
 * @property {string} description  What is attacked and what has to hold.
 * @property {string} rule         The rule of docs/spec that promises it.
 * @property {(target: Target, options: AttackOptions) => Promise<Readonly<Record<string, unknown>>>} run
 *   Returns what was measured. Throws when the server did not hold.
 */
import { readdirSync, readFileSync } from "node:fs"
import { Agent, request as httpRequest } from "node:http"
import { connect } from "node:net"

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const ANSWER_MS = 60_000

/**
 * @param {string} url
 * @param {string} token
 * @param {{ pid?: number | undefined, anywhere?: boolean }} [options]
 * @returns {Target}
 */
export function targetOf(url, token, options = {}) {
  const parsed = new URL(url)
  if (!LOOPBACK.test(parsed.hostname) && !options.anywhere)
    throw new Error(`${parsed.hostname} is not this machine. Attack only servers of your own, and say --anywhere.`)
  if (parsed.protocol !== "http:") throw new Error("Only http addresses can be attacked: attack the server itself.")
  return { url: parsed, token, ...(options.pid === undefined ? {} : { pid: options.pid }) }
}

/**
 * One request on a connection of its own, unless an agent is given.
 *
 * @param {Target} target
 * @param {string} method
 * @param {string} path
 * @param {{ token?: string | null, headers?: Record<string, string>, body?: unknown, agent?: Agent }} [options]
 * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, text: string, ms: number }>}
 */
export function ask(target, method, path, options = {}) {
  const token = options.token === undefined ? target.token : options.token
  const { body } = options
  const bytes =
    body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(bytes === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(bytes) }),
    ...options.headers,
  }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      { agent: options.agent ?? false, method, path, headers, ...placeOf(target), timeout: ANSWER_MS },
      (incoming) => {
        /** @type {Buffer[]} */
        const chunks = []
        incoming.on("data", (chunk) => chunks.push(chunk))
        incoming.on("error", reject)
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString("utf8"),
            ms: performance.now() - began,
          }),
        )
      },
    )
    asked.on("timeout", () => asked.destroy(new Error(`${method} ${path}: no answer in ${ANSWER_MS} ms`)))
    asked.on("error", reject)
    asked.end(bytes)
  })
}

/**
 * The same, for what has to succeed.
 *
 * @param {Target} target
 * @param {string} method
 * @param {string} path
 * @param {Parameters<typeof ask>[3]} [options]
 */
export async function must(target, method, path, options) {
  const answer = await ask(target, method, path, options)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.text === "" ? undefined : JSON.parse(answer.text)
}

/**
 * A user of their own for an attack, by a key that acts for made-up people.
 *
 * @param {Target} target
 * @param {{ scopes?: readonly string[], person?: string | null }} [options]
 *   With `person: null` the key is the owner's own.
 */
export async function makeUser(target, { scopes = ["read", "write"], person = freshName("attacker") } = {}) {
  const actFor = person === null ? null : "attack:*"
  const body = { name: "attack", scopes, actFor, expiresAt: null }
  const { id, secret } = await must(target, "POST", "/v1/keys", { body })
  /** @type {Record<string, string>} */
  const headers = person === null ? {} : { "parlor-person": `attack:${person}` }
  return { id, token: secret, headers }
}

/** @param {string} prefix */
export function freshName(prefix) {
  return `${prefix}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
}

/**
 * A raw connection. `bytes` counts what came back; nothing of it is kept but its beginning.
 *
 * @param {Target} target
 * @param {{ reads?: boolean, from?: string | undefined }} [options]
 *   With `reads: false` nothing is taken from the socket. `from` is an address of this machine.
 * @returns {Promise<{ socket: import("node:net").Socket, text: () => string, closed: Promise<void> }>}
 */
export function open(target, { reads = true, from } = {}) {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...placeOf(target), noDelay: true, ...(from === undefined ? {} : { localAddress: from }) })
    let text = ""
    const closed = new Promise((/** @type {(value: void) => void} */ done) => socket.once("close", () => done()))
    if (reads)
      socket.on("data", (chunk) => {
        if (text.length < 64 * 1024) text += chunk.toString("latin1")
      })
    else socket.pause()
    socket.once("connect", () => resolve({ socket, text: () => text, closed }))
    socket.on("error", reject)
  })
}

/**
 * Another address of this machine than requests come from by themselves, where there is one.
 *
 * @param {Target} target
 */
export function elsewhere({ url }) {
  return process.platform === "linux" && url.hostname === "127.0.0.1" ? "127.0.0.66" : undefined
}

/**
 * A request as the bytes of it.
 *
 * @param {Target} target
 * @param {string} line    `GET /path`
 * @param {Record<string, string>} [headers]
 */
export function requestBytes(target, line, headers = {}) {
  const all = { Host: target.url.host, ...headers }
  const text = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${text.join("")}\r\n`
}

/** @param {Target} target */
export function placeOf({ url }) {
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 80) }
}

/**
 * The server answers somebody who did nothing wrong.
 *
 * @param {Target} target
 * @param {number} [withinMs]
 */
export async function expectAlive(target, withinMs = 5_000) {
  await eventually(`${target.url.origin} answers`, withinMs, async () => {
    const answer = await ask(target, "GET", "/v1/agents")
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`)
  })
}

/**
 * Repeats `check` until it does not throw.
 *
 * @param {string} what
 * @param {number} withinMs
 * @param {() => unknown} check
 */
export async function eventually(what, withinMs, check) {
  const until = performance.now() + withinMs
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (performance.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}`, { cause: error })
    }
    await pause(50)
  }
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((/** @type {(value: void) => void} */ done) => setTimeout(done, ms))
}

/**
 * @param {boolean} condition
 * @param {string} message
 */
export function expect(condition, message) {
  if (!condition) throw new Error(message)
}

/**
 * Memory and descriptors of the server, where they can be seen.
 *
 * @param {Target} target
 * @returns {{ rssMb: number, descriptors: number } | undefined}
 */
export function measured({ pid }) {
  if (pid === undefined || process.platform !== "linux") return undefined
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const rssMb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  return { rssMb: Math.round(rssMb), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/**
 * Somebody who did nothing wrong and asks small things all the time: how long they wait.
 *
 * @param {Target} target
 */
export function bystander(target) {
  const agent = new Agent({ keepAlive: true })
  /** @type {number[]} */
  const times = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const { ms, status } = await ask(target, "GET", "/v1/conversations?limit=1", { agent })
      expect(status === 200, `${status} for somebody who did nothing wrong`)
      times.push(ms)
      await pause(20)
    }
  })()
  asking.catch(() => {})
  return {
    /**
     * @param {number} afterMs
     * @returns {Promise<{ requests: number, p50Ms: number, p99Ms: number, mostMs: number }>}
     */
    async stop(afterMs) {
      if (!isOver) await pause(afterMs)
      isOver = true
      await asking
      agent.destroy()
      const [p50Ms, p99Ms, mostMs] = [0.5, 0.99, 1].map((share) => Math.round(quantile(times, share)))
      return { requests: times.length, p50Ms: p50Ms ?? 0, p99Ms: p99Ms ?? 0, mostMs: mostMs ?? 0 }
    },
  }
}

/**
 * @param {readonly number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
