/** What is measured: Parlor on a store with one or more servers, and a server that stores nothing. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, pause } from "./machine.ts"
import { ask, type Frame, follow } from "./wire.ts"

const HERE = import.meta.dirname
const ROOT = join(HERE, "..", "..")
const TOKEN = randomBytes(24).toString("hex")
const SECRET_KEY = randomBytes(32).toString("hex")
const READY_MS = 60_000
const TURN_MS = 120_000
const MOST_READERS = "16000"

type Turn = { readonly firstMs: number; readonly totalMs: number; readonly chars: number }

export type Talk = {
  readonly id: string
  turn(wish: string): Promise<Turn>
  /** What came over its stream. */
  bytes(): number
  close(): void
}

export type Running = {
  readonly pids: readonly number[]
  readonly folder: string
  /** A new conversation, or the one of that name. */
  talk(name?: string, person?: string): Promise<Talk>
  /** Totals of its database. */
  counters(): Promise<Readonly<Record<string, number>>>
  /** A further reader of a conversation, with the texts that it gets. */
  listen(id: string, onText: (text: string) => void): Promise<{ close(): void }>
  /** A request to one of the servers. Raw has none. */
  ask(method: string, path: string, body?: string, person?: string): Promise<string>
  stop(): Promise<void>
}

export type System = { readonly name: string; start(): Promise<Running> }

export type Database = {
  /** An empty one: servers on one database count each other's open streams, for a minute after one was killed (SEC-14). */
  readonly fresh: () => Promise<string>
  counters(): Promise<Readonly<Record<string, number>>>
}

/** How a system's events are read. */
type Dialect = {
  readonly headers: Record<string, string>
  readonly make: (id: string, headers: Record<string, string>) => Promise<unknown>
  readonly events: (id: string) => string
  readonly messages: (id: string) => string
  readonly read: (frame: Frame, on: { text(text: string): void; done(): void }) => void
}

export const raw: System = {
  name: "raw",
  async start() {
    const { model, stopModel } = await startModel()
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), "parlor-bench-"))
    const child = start([join(HERE, "raw-server.mjs")], { PORT: String(port), MODEL: model }, folder)
    const base = `http://127.0.0.1:${port}`
    await answering(`${base}/x`, "POST")
    const at = (id: string) => `${base}/${id}`
    const dialect: Dialect = {
      headers: {},
      make: async () => {},
      events: at,
      messages: at,
      read: ({ event, data }, on) => {
        if (event === "delta") on.text(JSON.parse(data) as string)
        else if (event === "done") on.done()
      },
    }
    return running(
      [child],
      folder,
      () => dialect,
      async () => "",
      stopModel,
    )
  },
}

/** On SQLite, or `servers` processes on one PostgreSQL. */
export function parlor(name: string, servers = 1, database?: Database): System {
  return {
    name,
    async start() {
      const env: Record<string, string> =
        database === undefined ? {} : { DATABASE_URL: await database.fresh(), PARLOR_SECRET_KEY: SECRET_KEY }
      const { model, stopModel } = await startModel()
      const folder = mkdtempSync(join(tmpdir(), "parlor-bench-"))
      const ports = await Promise.all(Array.from({ length: servers }, freePort))
      const children = ports.map((port, n) =>
        start(
          [`--max-semi-space-size=8`, join(ROOT, "scripts", "start.mjs")],
          {
            ...env,
            PARLOR_PORT: String(port),
            PARLOR_DATA: servers === 1 ? join(folder, "data") : join(folder, `data-${n}`),
            PARLOR_TOKEN: TOKEN,
            OPENAI_BASE_URL: model,
            OPENAI_API_KEY: "none",
            PARLOR_MODEL: "compatible/fake",
            // All readers come from one address. `ulimit -n` has to allow them here and there.
            PARLOR_MAX_CONNECTIONS: MOST_READERS,
            PARLOR_CONNECTIONS_PER_ADDRESS: MOST_READERS,
          },
          folder,
        ),
      )
      const dialects = ports.map((port) => dialectAt(`http://127.0.0.1:${port}`))
      try {
        await Promise.all(ports.map((port) => answering(`http://127.0.0.1:${port}/readyz`, "GET")))
      } catch (error) {
        for (const child of children) child.kill("SIGKILL")
        stopModel()
        throw new Error(readFileSync(join(folder, "log"), "utf8").slice(-2_000), { cause: error })
      }
      let next = 0
      const send = async (method: string, path: string, body?: string, person?: string) => {
        const headers = { ...authorized, ...typed(path), ...named(person) }
        const { status, text } = await ask(method, `http://127.0.0.1:${ports[0]}${path}`, body, headers)
        if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
        return text
      }
      const key = { name: "bench", actFor: "bench:*" }
      actingKey = (JSON.parse(await send("POST", "/v1/keys", JSON.stringify(key))) as { secret: string }).secret
      const one = () => dialects[next++ % dialects.length] as Dialect
      return { ...running(children, folder, one, send, stopModel), counters: database?.counters ?? nothing }
    },
  }
}

/** Acts for everybody whose name starts with `bench:`. */
let actingKey = ""
const named = (person: string | undefined): Record<string, string> =>
  person === undefined ? {} : { "parlor-person": person, authorization: `Bearer ${actingKey}` }
const nothing = async () => ({})
const authorized = { authorization: `Bearer ${TOKEN}` }
const typed = (path: string) => ({
  "content-type": path.startsWith("/v1/import") ? "application/jsonl" : "application/json",
})

type Change = {
  readonly type: string
  readonly value: {
    readonly text?: string
    readonly state?: string
    readonly role?: string
    readonly parts?: { readonly text?: string }[]
  }
  readonly headers: { readonly operation: string }
}

function dialectAt(base: string): Dialect {
  const at = (id: string) => `${base}/v1/conversations/host/${id}`
  return {
    headers: { ...authorized, "content-type": "application/json" },
    make: (id, headers) => ask("PUT", at(id), undefined, headers),
    events: (id) => `${at(id)}/events?offset=now&live=sse`,
    messages: (id) => `${at(id)}/messages`,
    read: ({ event, data }, on) => {
      if (event !== "data") return
      for (const { type, value, headers } of JSON.parse(data) as Change[]) {
        if (type === "deltas") on.text(value.text ?? "")
        // A reply that came at once is one row, without deltas (LOG-10).
        else if (
          type === "messages" &&
          value.role === "agent" &&
          headers.operation === "insert" &&
          value.state === "done"
        )
          on.text((value.parts ?? []).map(({ text }) => text ?? "").join(""))
        else if (type === "turns" && ["done", "failed", "stopped", "interrupted"].includes(value.state ?? "")) on.done()
      }
    },
  }
}

function running(
  children: readonly ChildProcess[],
  folder: string,
  dialect: () => Dialect,
  send: Running["ask"],
  stopModel: () => void,
): Running {
  let made = 0
  return {
    pids: children.map(({ pid }) => pid ?? 0),
    folder,
    counters: nothing,
    ask: send,
    async talk(name, person) {
      const { headers: common, make, events, messages, read } = dialect()
      const id = name ?? `b${++made}-${randomBytes(4).toString("hex")}`
      const headers = { ...common, ...named(person) }
      await make(id, headers)
      let open: { started: number; first: number; chars: number; resolve(turn: Turn): void } | undefined
      const stream = await follow(events(id), headers, (frame) =>
        read(frame, {
          text(text) {
            if (open === undefined) return
            if (open.chars === 0) open.first = performance.now()
            open.chars += text.length
          },
          done() {
            const { started = 0, first = 0, chars = 0, resolve } = open ?? {}
            open = undefined
            resolve?.({ firstMs: first - started, totalMs: performance.now() - started, chars })
          },
        }),
      )
      return {
        id,
        bytes: stream.bytes,
        close: stream.close,
        turn: (wish) =>
          new Promise<Turn>((resolve, reject) => {
            const late = setTimeout(() => reject(new Error(`no end of a turn in ${TURN_MS} ms`)), TURN_MS)
            const started = performance.now()
            const done = (turn: Turn) => {
              clearTimeout(late)
              resolve(turn)
            }
            open = { started, first: started, chars: 0, resolve: done }
            ask("POST", messages(id), JSON.stringify({ text: `hello [[${wish}]]` }), headers).then(
              ({ status, text }) => {
                if (status >= 300) reject(new Error(`${status} ${text}`))
              },
              reject,
            )
          }),
      }
    },
    listen(id, onText) {
      const { headers, events, read } = dialect()
      return follow(events(id), headers, (frame) => read(frame, { text: onText, done: () => {} }))
    },
    async stop() {
      const left = children.map((child) => new Promise((resolve) => child.once("exit", resolve)))
      for (const child of children) child.kill("SIGKILL")
      await Promise.all(left)
      stopModel()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startModel(): Promise<{ model: string; stopModel(): void }> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(HERE, "model-server.mjs")], {
    env: { PORT: String(port) },
    stdio: "inherit",
  })
  await answering(`http://127.0.0.1:${port}/`, "POST")
  return { model: `http://127.0.0.1:${port}/v1`, stopModel: () => void child.kill("SIGKILL") }
}

function start(args: readonly string[], env: Record<string, string>, folder: string): ChildProcess {
  const log = openSync(join(folder, "log"), "a")
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", log, log],
  })
}

async function answering(url: string, method: string): Promise<void> {
  const until = performance.now() + READY_MS
  for (;;) {
    const status = await ask(method, url, method === "POST" ? '{"text":"[[n=1]]"}' : undefined).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status >= 200 && status < 400) return
    if (performance.now() > until) throw new Error(`${url} does not answer`)
    await pause(10)
  }
}
