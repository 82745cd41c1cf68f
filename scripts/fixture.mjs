/**
 * Makes the database fixtures of the version in a checkout: `node scripts/fixture.mjs [checkout]`. The checkout must be
 * built. Run it before a release that adds a step to the migrations, and commit the files.
 *
 * A server with the demo model is used over HTTP, so that everything in the database was written by that version.
 * Requests that it does not know yet are left out. `DATABASE_URL` names an empty PostgreSQL database and needs pg_dump of
 * its version; without it, only the SQLite fixture is made.
 */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { DatabaseSync } from "@photostructure/sqlite"
import { root } from "./setup.mjs"

const PORT = 41_999
const TOKEN = "the-token-with-which-the-fixtures-are-made"
const PATIENCE_MS = 60_000
const OUT = join(root, "test", "upgrade", "fixtures")

const checkout = resolve(process.argv[2] ?? root)
mkdirSync(OUT, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), "parlor-fixture-"))
try {
  await make(undefined, sqliteFixture)
  if (process.env.DATABASE_URL) await make(process.env.DATABASE_URL, postgresFixture)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string | undefined} databaseUrl @param {(data: string, url: string | undefined) => void} write */
async function make(databaseUrl, write) {
  const data = join(folder, databaseUrl === undefined ? "sqlite" : "postgres")
  mkdirSync(data)
  const server = spawn(process.execPath, [join(checkout, "packages", "cli", "dist", "bin.js"), "serve"], {
    cwd: data,
    env: {
      PATH: process.env.PATH,
      PARLOR_PORT: String(PORT),
      PARLOR_TOKEN: TOKEN,
      PARLOR_DATA: data,
      PARLOR_MODEL: "demo",
      PARLOR_TITLES: "off",
      PARLOR_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const ended = new Promise((done) => server.once("exit", done))
  try {
    await until(async () => (await call("GET", "/healthz")).ok)
    await talk()
  } finally {
    server.kill("SIGTERM")
    await ended
  }
  await write(data, databaseUrl)
}

/** Everything that a conversation may have, in the order in which versions learned it. */
async function talk() {
  const host = "/v1/conversations/host/main"
  const first = await send("host", "The tulips are in the cellar.")
  await send("host", "And the roses?")
  await send("critic", "What is missing?")
  await call("PATCH", "/v1/conversations/critic/main", { title: "What the critic says" })
  await call("POST", "/v1/keys", { name: "laptop" })
  await call("PUT", `${host}/files/notes/plan.md`, "Water the tulips.\n", "text/plain")
  await call("PUT", `${host}/files/notes/plan.md`, "Water the tulips twice.\n", "text/plain")
  const tulip = { description: "Where they are", type: "fact", body: "The tulips are in the cellar." }
  await call("PUT", "/v1/memory/user/tulips", tulip)
  await call("POST", "/v1/attachments?name=tulip.txt", "a tulip", "text/plain")
  const schedule = { agent: "host", when: { everyMs: 3_600_000 }, text: "Water them." }
  await call("POST", "/v1/schedules", schedule)
  await call("POST", "/v1/hooks", { agent: "host", template: "It said {{body}}" })
  await call("POST", `${host}/branches`, { name: "redder", from: first })
  await send("host", "Make it redder.", "redder")
  await call("POST", `${host}/compact`, { keepTurns: 1 })
  await settled(host)
  await call("POST", "/v1/links", { name: "telegram:42" })
  await call("POST", `${host}/queue/hold`, {})
  await call("POST", `${host}/messages`, { text: "This one waits." })
}

/** @param {string} agent @param {string} text */
async function send(agent, text, branch = "main") {
  const path = `/v1/conversations/${agent}/${branch}`
  const sent = await call("POST", `${path}/messages`, { text })
  await settled(path)
  return sent.json?.message
}

/** @param {string} path */
async function settled(path) {
  await until(async () => {
    const { ok, json } = await call("GET", path)
    return ok ? json.status === undefined || ["idle", "error"].includes(json.status?.state) : true
  })
}

/** @param {string} method @param {string} path @param {unknown} [body] @param {string} [type] */
async function call(method, path, body, type) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { "content-type": type ?? "application/json" }),
    },
    ...(body === undefined ? {} : { body: text }),
  }).catch(() => undefined)
  const said = (await response?.text()) ?? ""
  if (response && !response.ok) console.log(`  ${method} ${path}: ${response.status} ${said.slice(0, 300)}`)
  return { ok: response?.ok ?? false, json: response?.ok && said.startsWith("{") ? JSON.parse(said) : undefined }
}

/** @param {() => Promise<boolean>} isTrue */
async function until(isTrue) {
  for (const end = Date.now() + PATIENCE_MS; !(await isTrue()); await new Promise((go) => setTimeout(go, 50)))
    if (Date.now() > end) throw new Error(`Waited ${PATIENCE_MS} ms for nothing.`)
}

/** @param {string} data */
function sqliteFixture(data) {
  const db = new DatabaseSync(join(data, "parlor.db"))
  const { value } = db.prepare("SELECT value FROM meta WHERE name = 'schema'").get()
  db.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM")
  db.close()
  writeFixture(`sqlite-${value}.db`, readFileSync(join(data, "parlor.db")))
}

/**
 * As INSERT statements, so that any client can run it.
 *
 * @param {string} _
 * @param {string | undefined} url
 */
function postgresFixture(_, url = "") {
  const dump = execFileSync("pg_dump", ["--inserts", "--no-owner", "--schema=parlor", url], { encoding: "utf8" })
  const value = /INSERT INTO parlor\.meta VALUES \('schema', '(\d+)'\)/.exec(dump)?.[1]
  // Commands of psql, and settings that older servers do not know.
  const plain = dump.replace(/^\\.*$/gm, "").replace(/^SET transaction_timeout.*$/gm, "")
  writeFixture(`postgres-${value}.sql`, Buffer.from(plain))
}

/** @param {string} name @param {Buffer} bytes */
function writeFixture(name, bytes) {
  const zipped = gzipSync(bytes, { level: 9 })
  writeFileSync(join(OUT, `${name}.gz`), zipped)
  console.log(`${name}.gz: ${zipped.length} bytes`)
}
