/**
 * [SEC-29] Secrets at rest, with the built server in a separate process: what the database's files contain, and what
 * happens when its key changes, is rotated or lost.
 */
import { spawn, spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { routes } from "@parlor/protocol"
import { DatabaseSync } from "@photostructure/sqlite"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bundledBin } from "../support/bundle.ts"
import { freshDatabase } from "../support/postgres.ts"
import { ask, read, type Target } from "./client.ts"
import { STORES } from "./server.ts"

const BIN = await bundledBin()
const TOKEN = "a-token-for-the-tests-of-secrets-at-rest"
const READY_MS = 60_000

type Env = Readonly<Record<string, string>>

let folder: string
let closing: (() => Promise<void>)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlor-sealed-"))
  closing = []
})

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(STORES)("on %s", (kind) => {
  let env: Env
  let plant: (id: string, secret: string) => Promise<void>
  let stored: () => Promise<string>

  beforeEach(async () => {
    const usual = {
      PARLOR_DATA: folder,
      PARLOR_TOKEN: TOKEN,
      PARLOR_PORT: "0",
      PARLOR_MODEL: "demo",
      PARLOR_LOG: "info",
      // The turns that webhooks start are beside the point: a stop does not wait for their answers.
      PARLOR_DRAIN_MS: "0",
    }
    if (kind === "SQLite") {
      env = usual
      const path = join(folder, "parlor.db")
      plant = async (id, secret) => {
        const db = new DatabaseSync(path)
        const { value } = db.prepare("SELECT value FROM triggers WHERE id = ?").get(id) as { value: string }
        db.prepare("UPDATE triggers SET value = ? WHERE id = ?").run(withSecret(value, secret), id)
        db.close()
      }
      // Every byte of the files, including leftovers of deleted rows.
      stored = async () =>
        readdirSync(folder)
          .filter((name) => name.startsWith("parlor.db"))
          .map((name) => readFileSync(join(folder, name), "latin1"))
          .join("")
      return
    }
    const database = await freshDatabase()
    closing.push(() => database.drop())
    env = { ...usual, DATABASE_URL: database.url }
    const query = async (text: string, values: readonly string[] = []) => {
      const client = new pg.Client({ connectionString: database.url, options: "-c search_path=parlor" })
      await client.connect()
      try {
        return (await client.query<{ value: string }>(text, [...values])).rows
      } finally {
        await client.end()
      }
    }
    plant = async (id, secret) => {
      const [row] = await query("SELECT value FROM parlor.triggers WHERE id = $1", [id])
      await query("UPDATE parlor.triggers SET value = $1 WHERE id = $2", [withSecret(row?.value ?? "", secret), id])
    }
    stored = async () => (await query("SELECT value FROM parlor.triggers")).map(({ value }) => value).join("\n")
  })

  test("a webhook's secret is sealed in the database and works, before and after a restart and a rotation", async () => {
    const first = await serve(env)
    const hook = await makeHook(first.target)
    expect(await deliver(first.target, hook)).toBe(202)
    await first.stop()
    expect(await stored()).not.toContain(hook.secret)
    expect(await stored()).toContain("sealed:1:")

    const rotated = spawnSync(process.execPath, [BIN, "secrets", "rotate"], { env, encoding: "utf8" })
    expect(rotated.status, rotated.stderr).toBe(0)
    const current = /The key (\w{16}) is now first/.exec(rotated.stdout)?.[1] ?? "none"
    expect(await stored()).not.toContain(`sealed:1:${current}:`)
    const second = await serve(env)
    expect(await deliver(second.target, hook)).toBe(202)
    await second.stop()
    expect(second.output()).toMatch(/"resealed":1/)
    const sealings = [...(await stored()).matchAll(/"secret":"sealed:1:(\w+):/g)].map(([, id]) => id)
    expect(new Set(sealings)).toEqual(new Set([current]))

    // The new key alone is enough from here on.
    const file = join(folder, "secret-key")
    writeFileSync(file, `${readFileSync(file, "utf8").split("\n")[0]}\n`)
    const third = await serve(env)
    expect(await deliver(third.target, hook)).toBe(202)
    await third.stop()
    expect(third.output()).not.toContain("resealed")
  })

  test("secrets stored in plain text by an earlier release still work and are sealed at start", async () => {
    const first = await serve(env)
    const hooks: Made[] = []
    for (let n = 0; n < 6; n++) {
      const secret = `whsec_${Buffer.from(`canary ${n} of an earlier release, 32`).toString("base64")}`
      hooks.push({ id: (await makeHook(first.target)).id, secret })
    }
    await first.stop()
    for (const { id, secret } of hooks) await plant(id, secret)
    for (const { secret } of hooks) expect(await stored()).toContain(secret)
    for (let round = 0; round < 2; round++) {
      const again = await serve(env)
      for (const hook of hooks) expect(await deliver(again.target, hook)).toBe(202)
      await again.stop()
      for (const { secret } of hooks) expect(await stored()).not.toContain(secret)
    }
  })

  test("a server with another key, or none, does not start and says what to do; a lost key can be given up", async () => {
    const first = await serve(env)
    const hook = await makeHook(first.target)
    await first.stop()
    const file = join(folder, "secret-key")
    renameSync(file, join(folder, "kept"))
    const other = { ...env, PARLOR_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
    for (const wrong of [env, other]) {
      const refused = spawnSync(process.execPath, [BIN, "serve"], { env: wrong, encoding: "utf8", timeout: READY_MS })
      expect(refused.status).toBe(1)
      expect(refused.stderr).toMatch(/Secrets in this database are sealed with the key \w{16}.*PARLOR_SECRET_KEY_FILE/)
      expect(refused.stderr).not.toContain(other.PARLOR_SECRET_KEY)
    }
    const given = await serve({ ...env, PARLOR_SECRET_KEY_FILE: join(folder, "kept") })
    expect(await deliver(given.target, hook)).toBe(202)
    await given.stop()

    const lost = await serve({ ...env, PARLOR_SECRET_KEY_LOST: "1" })
    expect(await deliver(lost.target, hook)).toBe(401)
    const { secret } = await read(lost.target, routes.rotateHook.answer.schema, "POST", `/v1/hooks/${hook.id}/rotate`)
    expect(await deliver(lost.target, { ...hook, secret })).toBe(202)
    await lost.stop()
    expect(lost.output()).toMatch(/"unreadable":1/)
  })
})

test("[SEC-33] the output of a server that nobody watches has no token in it, and says how to get one", async () => {
  const { PARLOR_TOKEN: _, ...env } = { PARLOR_DATA: folder, PARLOR_PORT: "0", PARLOR_MODEL: "demo", PARLOR_TOKEN: "" }
  const server = await serve(env)
  const token = readFileSync(join(folder, "token"), "utf8").trim()
  expect(server.output()).toContain('"parlor link" prints a link')
  expect(server.output()).not.toContain(token)
  const url = `http://127.0.0.1:${server.target.port}`
  const link = spawnSync(process.execPath, [BIN, "link", "--url", url], { env, encoding: "utf8" })
  expect(link.stdout.trim()).toBe(`${url}/#token=${token}`)
  await server.stop()
})

type Serving = { readonly target: Target; output(): string; stop(): Promise<void> }

async function serve(env: Env): Promise<Serving> {
  const child = spawn(process.execPath, [BIN, "serve"], { env: { PATH: process.env.PATH, ...env }, stdio: "pipe" })
  let output = ""
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  closing.push(stop)
  const port = await new Promise<number>((resolve, reject) => {
    const take = (text: Buffer) => {
      output += text
      const found = /Parlor is ready: http:\/\/127\.0\.0\.1:(\d+)\/\n.+\n/.exec(output)?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.once("exit", () => reject(new Error(`ended before it was ready: ${output}`)))
    setTimeout(() => reject(new Error(`not ready: ${output}`)), READY_MS).unref()
  })
  return { target: { port, token: TOKEN }, output: () => output, stop }
}

type Made = { readonly id: string; readonly secret: string }

async function makeHook(target: Target): Promise<Made> {
  const body = { agent: "host", style: "github", template: "Look: {{body.n}}" }
  return read(target, routes.makeHook.answer.schema, "POST", "/v1/hooks", { body })
}

let deliveries = 0

async function deliver(target: Target, { id, secret }: Made): Promise<number> {
  deliveries += 1
  const body = JSON.stringify({ n: deliveries })
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
  const headers = { "x-hub-signature-256": signature, "x-github-delivery": `d-${deliveries}` }
  return (await ask(target, "POST", `/hooks/${id}`, { token: null, headers, body })).status
}

function withSecret(value: string, secret: string): string {
  return JSON.stringify({ ...(JSON.parse(value) as object), secrets: [{ secret, until: null }] })
}
