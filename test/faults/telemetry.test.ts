/**
 * Metrics, traces and log lines of real processes, one of which is killed in the middle of a turn.
 */
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { root } from "../../scripts/setup.mjs"
import { type SteeredModel, startSteeredModel } from "../e2e/model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "./server-process.ts"

vi.setConfig({ testTimeout: 120_000 })
const PATIENT = { timeout: 60_000 }
const SECRET_WORDS = "nightingale-tulips"

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Span = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number }
}

type Dashboard = { readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[] }

const folder = mkdtempSync(join(tmpdir(), "parlor-telemetry-"))
const spans: Span[] = []
const bodies: string[] = []
const collector = createServer(async (request, response) => {
  let body = ""
  for await (const piece of request) body += piece
  bodies.push(body)
  spans.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
  response.end("{}")
})
let model: SteeredModel
let server: ServerProcess

beforeAll(async () => {
  collector.listen(0, "127.0.0.1")
  await once(collector, "listening")
  model = await startSteeredModel()
  server = start()
})
afterAll(async () => {
  await server.stop()
  await model.close()
  collector.closeAllConnections()
  collector.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(): ServerProcess {
  const { port } = collector.address() as AddressInfo
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, PARLOR_LOG: "warn", PARLOR_DRAIN_MS: "0" }
  return spawnServer({ dataFolder: folder, modelUrl: model.url, env })
}

const sdk = async () => new Parlor({ baseUrl: await server.ready, token: TOKEN })

async function metrics(token = TOKEN): Promise<string> {
  const response = await fetch(`${await server.ready}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(String(response.status))
  return response.text()
}

test("[OPS-13] a turn that a kill interrupts is one trace, with the steps before and after the kill", async () => {
  const talk = (await sdk()).conversation("host")
  const { turn } = await talk.send(`${SECRET_WORDS} one`)
  ;(await model.next()).call("current_time", {})
  const cut = await model.next()
  cut.say("half a reply ")
  await expect.poll(async () => JSON.stringify(await talk.open({ messages: 5 })), PATIENT).toContain("half a reply")
  await server.kill()
  server = start()
  await server.ready
  const again = await model.next()
  again.say("the whole reply")
  again.end()
  await expect.poll(() => spans.filter(({ name }) => name === "invoke_agent host"), PATIENT).toHaveLength(1)
  const root = spans.find(({ name }) => name === "invoke_agent host")
  const below = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId)
  expect(below.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["chat fake", "execute_tool current_time", "chat fake"]),
  )
  expect(below.filter(({ name }) => name === "chat fake").length).toBeGreaterThanOrEqual(2)
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(root?.attributes).toEqual(
    expect.arrayContaining([
      { key: "gen_ai.operation.name", value: { stringValue: "invoke_agent" } },
      { key: "parlor.turn.id", value: { stringValue: turn } },
    ]),
  )
  for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans)
    expect(BigInt(to)).toBeGreaterThanOrEqual(BigInt(from))
  expect(bodies.join("")).not.toContain(SECRET_WORDS)
})

test("[OPS-10] metrics count turns, model calls, tokens and commits, and say what the server holds", async () => {
  const parlor = await sdk()
  const talk = parlor.conversation("host", "counted")
  await talk.make()
  await talk.send("count me")
  const answer = await model.next("count me")
  answer.say("one")
  answer.end()
  await expect.poll(() => metrics(), PATIENT).toMatch(/^parlor_turns_started_total\{agent="host"\} 1$/m)
  await expect.poll(() => metrics(), PATIENT).toMatch(/^parlor_turns_total\{agent="host",state="done"\} 2$/m)
  const text = await metrics()
  for (const line of [
    /^parlor_model_calls_total\{model="compatible\/fake",outcome="ok"\} 2$/m,
    /^parlor_time_to_first_token_seconds_count\{model="compatible\/fake"\} 2$/m,
    /^parlor_tokens_total\{agent="host",model="compatible\/fake",direction="input"\} [1-9]/m,
    /^parlor_append_duration_seconds_count [1-9]/m,
    /^parlor_queue_length 0$/m,
    /^parlor_leases \d/m,
    /^parlor_streams 0$/m,
    /^parlor_spool_batches 0$/m,
    /^parlor_store_down 0$/m,
    /^parlor_event_loop_delay_p99_seconds [\d.e-]+$/m,
  ])
    expect(text).toMatch(line)
  expect(text).not.toContain(SECRET_WORDS)
})

test("[OPS-14] the Grafana dashboard shows every metric of a server, and only labels that they have", async () => {
  const text = await metrics()
  const reported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name))
  const dashboard = readFileSync(join(root, "deploy", "grafana", "parlor.json"), "utf8")
  const expressions = (JSON.parse(dashboard) as Dashboard).panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr),
  )
  const shown = expressions.flatMap((expr) => expr.match(/\bparlor_\w+/g) ?? [])
  const plain = (name: string) => name.replace(/_(?:bucket|sum|count)$/, "")
  expect([...new Set(shown.map((name) => (reported.has(name) ? name : plain(name))))].sort()).toEqual(
    [...reported].sort(),
  )
  const labels = new Set([...text.matchAll(/([a-z]+)="/g)].map(([, label = ""]) => label))
  const used = expressions.flatMap((expr) =>
    [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
  )
  // Prometheus adds the instance; nothing was refused yet.
  for (const label of used) expect([...labels, "instance", "code"], label).toContain(label)
})

test("[OPS-10] the queue is counted while it waits", async () => {
  const talk = (await sdk()).conversation("host", "queued")
  await talk.make()
  await talk.send("first")
  const first = await model.next("first")
  for (const text of ["second", "third"]) await talk.send(text)
  await expect.poll(() => metrics(), PATIENT).toMatch(/^parlor_queue_length 2$/m)
  first.say("done")
  first.end()
  for (const text of ["second", "third"]) {
    const answer = await model.next(text)
    answer.say("done")
    answer.end()
  }
  await expect.poll(() => metrics(), PATIENT).toMatch(/^parlor_queue_length 0$/m)
})

test("[OPS-10] metrics need their own scope, which gives access to nothing else", async () => {
  const parlor = await sdk()
  const reader = await parlor.keys.make({ name: "reader", scopes: ["read", "write", "manage"] })
  await expect(metrics(reader.secret)).rejects.toThrow("403")
  const scraper = await parlor.keys.make({ name: "scraper", scopes: ["metrics"] })
  expect(await metrics(scraper.secret)).toContain("parlor_turns_total")
  const asScraper = new Parlor({ baseUrl: await server.ready, token: scraper.secret })
  await expect(asScraper.conversation("host").open()).rejects.toMatchObject({ status: 403 })
  expect(await metrics()).toMatch(/^parlor_refused_requests_total\{code="auth\.forbidden"\} [1-9]/m)
})

test("[OPS-12] a failed turn leaves one line at warn, with its turn, code and reason and nobody's text", async () => {
  const talk = (await sdk()).conversation("host", "failing")
  await talk.make()
  model.failNext({ status: 400, message: "no such parameter" })
  const { turn } = await talk.send(`${SECRET_WORDS} two`)
  const lines = () =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes('"turn failed"'))
  await expect.poll(lines, PATIENT).toHaveLength(1)
  const line = JSON.parse(lines()[0] ?? "{}")
  expect(line).toMatchObject({ level: 40, agent: "host", turn, code: "model.failed" })
  expect(line.reason).toContain("no such parameter")
  expect(server.output()).not.toContain(SECRET_WORDS)
  expect(await metrics()).toMatch(/^parlor_model_calls_total\{model="compatible\/fake",outcome="error"\} 1$/m)
  expect(await metrics()).toMatch(/^parlor_turns_total\{agent="host",state="failed"\} 1$/m)
})
