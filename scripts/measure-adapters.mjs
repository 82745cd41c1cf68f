/**
 * CPU of the server per streamed token, read natively and through each adapter, in one run:
 *
 *   node scripts/measure-adapters.mjs [rounds]
 *
 * The built server runs in a process of its own; model and readers run in this one. Kinds of readers take turns, so that
 * a busy machine slows all of them. Fails if an adapter costs more than 1.5 times as much as the native stream.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensureBuilt, root, StepFailed, script } from "./setup.mjs"

const MOST_TIMES = 1.5
const ROUNDS = Number(process.argv[2] ?? 5)
/** Conversations at the same time, and tokens of each reply. */
const CHATS = 16
const TOKENS = 400
const TICK_MS = 10
const CLOCK_TICKS_A_SECOND = 100
const TOKEN = "a-token-for-measurements-0123456789-0123456789"

/** @typedef {{ port: number, branch: string }} To */

let branches = 0

/** How each kind of reader sends a message and reads its reply to the end. @type {Record<string, (to: To) => Promise<void>>} */
const READERS = {
  async nobody(to) {
    await post(to.port, `/v1/conversations/host/${to.branch}/messages`, { text: "Go" })
    const waiting = `/v1/conversations/host/${to.branch}?messages=1`
    while ((await get(to.port, waiting)).includes('"busyWith":"turn"'))
      await new Promise((wake) => setTimeout(wake, 1_000))
  },
  async native(to) {
    await post(to.port, `/v1/conversations/host/${to.branch}/messages`, { text: "Go" })
    await get(
      to.port,
      `/v1/conversations/host/${to.branch}/events?offset=-1&live=sse`,
      /"state":"done","error"|"type":"turns"[^\n]*"state":"done"/,
    )
  },
  async ui(to) {
    const messages = [{ id: to.branch, role: "user", parts: [{ type: "text", text: "Go" }] }]
    await post(to.port, "/v1/ui/host", { id: to.branch, messages })
  },
  async "chat completions"(to) {
    const messages = [{ role: "user", content: "Go" }]
    await post(to.port, "/v1/chat/completions", { model: `host/${to.branch}`, messages, stream: true })
  },
  async responses(to) {
    await post(to.port, "/v1/responses", { model: "host", conversation: to.branch, input: "Go", stream: true })
  },
  async "AG-UI"(to) {
    const messages = [{ id: to.branch, role: "user", content: "Go" }]
    const input = {
      threadId: to.branch,
      runId: to.branch,
      messages,
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }
    await post(to.port, "/v1/ag-ui/host", input)
  },
  async "turn events"(to) {
    await post(to.port, `/v1/conversations/host/${to.branch}/messages`, { text: "Go" }, { accept: "text/event-stream" })
  },
}

await script(async () => {
  await ensureBuilt({ web: false })
  const data = mkdtempSync(join(tmpdir(), "parlor-adapters-"))
  const model = await startModel()
  const server = await startServer(data, model.url)
  try {
    const kinds = Object.keys(READERS)
    for (const kind of kinds) await measure(server, kind)
    /** @type {Map<string, number[]>} */
    const seen = new Map(kinds.map((kind) => [kind, []]))
    for (let round = 0; round < ROUNDS; round++)
      for (const kind of kinds) seen.get(kind)?.push(await measure(server, kind))
    report(new Map([...seen].map(([kind, costs]) => [kind, median(costs)])))
  } finally {
    server.child.kill("SIGKILL")
    model.close()
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** @param {Map<string, number>} costs microseconds per token, by kind */
function report(costs) {
  const native = costs.get("native") ?? 0
  const unread = costs.get("nobody") ?? 0
  const wrong = []
  for (const [kind, cost] of costs) {
    const times = cost / native
    const added = kind === "nobody" ? "" : `, ${(cost - unread).toFixed(1)} for the reader`
    console.log(`${kind.padEnd(17)} ${cost.toFixed(1).padStart(6)} µs per token${added}, ${times.toFixed(2)} × native`)
    if (times > MOST_TIMES) wrong.push(kind)
  }
  if (wrong.length > 0) throw new StepFailed(`More than ${MOST_TIMES} × native: ${wrong.join(", ")}`)
}

/**
 * @param {{ pid: number, port: number }} server
 * @param {string} kind
 */
async function measure({ pid, port }, kind) {
  const read = READERS[kind]
  if (read === undefined) throw new Error(`unknown kind ${kind}`)
  const chats = Array.from({ length: CHATS }, () => ({ port, branch: `b-${++branches}` }))
  for (const { branch } of chats) await put(port, `/v1/conversations/host/${branch}`)
  const before = cpuMicroseconds(pid)
  await Promise.all(chats.map((to) => read(to)))
  return (cpuMicroseconds(pid) - before) / (CHATS * TOKENS)
}

/** User and system time of all threads. @param {number} pid */
function cpuMicroseconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / CLOCK_TICKS_A_SECOND
}

/**
 * @param {string} data
 * @param {string} modelUrl
 */
async function startServer(data, modelUrl) {
  const child = spawn(
    process.execPath,
    ["--max-semi-space-size=8", join(root, "packages", "cli", "dist", "bin.js"), "serve"],
    {
      env: {
        PATH: process.env.PATH,
        HOME: data,
        PARLOR_DATA: data,
        PARLOR_PORT: "0",
        PARLOR_TOKEN: TOKEN,
        PARLOR_LOG: "error",
        PARLOR_LOCAL_MODELS: "off",
        PARLOR_MODEL: "compatible/steady",
        OPENAI_BASE_URL: modelUrl,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  )
  const port = await new Promise((resolve, reject) => {
    child.stdout.on("data", (/** @type {Buffer} */ text) => {
      const found = /Parlor is ready: http:\/\/[^:]+:(\d+)/.exec(text.toString())?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.once("exit", () => reject(new StepFailed("The server did not start.")))
  })
  return { child, pid: child.pid ?? 0, port: Number(port) }
}

/** Streams `TOKENS` short tokens, one each `TICK_MS`. */
async function startModel() {
  const server = createServer((incoming, response) => {
    incoming.resume()
    response.writeHead(200, { "content-type": "text/event-stream" })
    let said = 0
    const ticking = setInterval(() => {
      if (said++ < TOKENS) return response.write(chunk({ content: `word${said} ` }))
      clearInterval(ticking)
      response.write(chunk({}, "stop"))
      response.end(`data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":${TOKENS}}}\n\ndata: [DONE]\n\n`)
    }, TICK_MS)
    response.on("close", () => clearInterval(ticking))
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.closeAllConnections() }
}

/**
 * @param {object} delta
 * @param {string | null} [finish]
 */
function chunk(delta, finish = null) {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

/**
 * @param {number} port
 * @param {string} path
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 */
function post(port, path, body, headers = {}) {
  return read(
    port,
    { method: "POST", path, headers: { "content-type": "application/json", ...headers } },
    JSON.stringify(body),
  )
}

/**
 * @param {number} port
 * @param {string} path
 */
function put(port, path) {
  return read(port, { method: "PUT", path, headers: {} }, undefined)
}

/**
 * @param {number} port
 * @param {string} path
 * @param {RegExp} [until] leaves when the stream contains it
 */
function get(port, path, until) {
  return read(port, { method: "GET", path, headers: {} }, undefined, until)
}

/**
 * @param {number} port
 * @param {{ method: string, path: string, headers: Record<string, string> }} options
 * @param {string | undefined} body
 * @param {RegExp} [until]
 * @returns {Promise<string>}
 */
function read(port, { method, path, headers }, body, until) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, headers: { authorization: `Bearer ${TOKEN}`, ...headers } }
    const sent = request(options, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (/** @type {string} */ piece) => {
        text = until === undefined ? text + piece : (text + piece).slice(-20_000)
        if (until === undefined || !until.test(piece)) return
        sent.destroy()
        resolve("")
      })
      response.on("end", () => {
        if ((response.statusCode ?? 500) < 300) resolve(text)
        else reject(new StepFailed(`${method} ${path}: ${response.statusCode} ${text}`))
      })
    })
    sent.on("error", reject)
    sent.end(body)
  })
}

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
