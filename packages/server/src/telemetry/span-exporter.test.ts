import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Log, LogFields } from "@parlor/core"
import { afterEach, expect, test } from "vitest"
import { systemClock } from "../ports.ts"
import { SpanExporter } from "./span-exporter.ts"
import type { Span } from "./turn-spans.ts"

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const span = (name: string): Span => ({
  ...{ traceId: "0".repeat(32), spanId: "1".repeat(16), name, kind: 1, attributes: [], status: { code: 0 } },
  ...{ startTimeUnixNano: "1000000", endTimeUnixNano: "2000000" },
})

/** Answers with these statuses, then with 200, and keeps the names of the spans it took. */
async function startCollector(...statuses: readonly number[]) {
  const left = [...statuses]
  const names: string[] = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const piece of request) body += piece
    const status = left.shift() ?? 200
    if (status === 200)
      names.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.map((one: Span) => one.name))
    response.writeHead(status).end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, names }
}

function exporterTo(url: string) {
  const logged: { line: string; fields: LogFields | undefined }[] = []
  const keep = (line: string, fields?: LogFields) => void logged.push({ line, fields })
  const log: Log = { info: keep, warn: keep, error: keep }
  // Waits are cut short; their order stays.
  const clock = { ...systemClock, after: (ms: number, act: () => void) => systemClock.after(Math.min(ms, 5), act) }
  const about = { headers: {}, service: "parlor", version: "test", instance: "one" }
  return { exporter: new SpanExporter({ url, ...about, clock, log }), logged }
}

test("[OPS-13] a collector that is busy gets the spans later, each once", async () => {
  const collector = await startCollector(503, 429)
  const { exporter, logged } = exporterTo(collector.url)
  exporter.add([span("a"), span("b")])
  await expect.poll(() => collector.names).toEqual(["a", "b"])
  exporter.add([span("c")])
  await exporter.close()
  expect(collector.names).toEqual(["a", "b", "c"])
  expect(logged).toEqual([])
})

test("[OPS-13] what a collector refuses is dropped and said once; what cannot be delivered is bounded", async () => {
  const collector = await startCollector(400, 400)
  const { exporter, logged } = exporterTo(collector.url)
  exporter.add([span("a")])
  await expect.poll(() => logged).toEqual([{ line: "spans dropped", fields: expect.objectContaining({ dropped: 1 }) }])
  exporter.add([span("b")])
  await exporter.close()
  expect(logged).toHaveLength(1)
  const nobody = exporterTo("http://127.0.0.1:9/v1/traces")
  nobody.exporter.add(Array.from({ length: 5_000 }, (_, number) => span(String(number))))
  expect(nobody.logged).toEqual([{ line: "spans dropped", fields: expect.objectContaining({ dropped: 904 }) }])
  await nobody.exporter.close()
})
