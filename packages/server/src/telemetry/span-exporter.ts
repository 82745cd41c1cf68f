/**
 * Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON.
 *
 *   waiting ──BATCH_MS, or a full batch──▶ sending ──2xx──▶ waiting
 *                                             │ 429, 5xx, no connection
 *                                             └──▶ waiting, tried again later; the oldest spans are dropped first
 *
 * It never delays a turn. What a collector refuses for good is dropped and logged once a minute.
 */
import type { Clock, Log } from "@parlor/core"
import type { Span } from "./turn-spans.ts"

const BATCH = 256
const BATCH_MS = 1_000
const RETRY_MS = 5_000
const MAX_WAITING = 4_096
const SEND_LIMIT_MS = 10_000
const LOG_EVERY_MS = 60_000

export type ExporterOptions = {
  /** The full URL: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly service: string
  readonly version: string
  /** The name of this server among those that share a database. */
  readonly instance: string
  readonly clock: Clock
  readonly log: Log
}

export class SpanExporter {
  readonly #options: ExporterOptions
  #waiting: Span[] = []
  #sending: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined
  #dropped = 0
  #loggedAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(options: ExporterOptions) {
    this.#options = options
  }

  add(spans: readonly Span[]): void {
    if (this.#closed) return
    this.#waiting.push(...spans)
    const excess = this.#waiting.length - MAX_WAITING
    if (excess > 0) {
      this.#waiting.splice(0, excess)
      this.#complain("the collector cannot be reached", excess)
    }
    if (this.#waiting.length >= BATCH) this.#flush()
    else this.#later(BATCH_MS)
  }

  /** Sends what waits, once. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer?.()
    await this.#sending
    if (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0))
  }

  #later(ms: number): void {
    if (this.#closed) return
    this.#cancelTimer ??= this.#options.clock.after(ms, () => {
      this.#cancelTimer = undefined
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#sending !== undefined || this.#waiting.length === 0) return
    const batch = this.#waiting.splice(0, BATCH)
    this.#sending = this.#send(batch).then((isTaken) => {
      this.#sending = undefined
      if (!isTaken) this.#waiting = [...batch, ...this.#waiting].slice(-MAX_WAITING)
      if (this.#waiting.length > 0) this.#later(isTaken ? 0 : RETRY_MS)
    })
  }

  /** False if it should be tried again. */
  async #send(spans: readonly Span[]): Promise<boolean> {
    const { url, headers } = this.#options
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(this.#payload(spans)),
        signal: AbortSignal.timeout(SEND_LIMIT_MS),
        redirect: "error",
      })
      await response.body?.cancel()
      if (response.ok) return true
      if (response.status === 429 || response.status >= 500) return false
      this.#complain(`the collector responded ${response.status}`, spans.length)
      return true
    } catch {
      return false
    }
  }

  #payload(spans: readonly Span[]) {
    const { service, version, instance } = this.#options
    const resource = { "service.name": service, "service.version": version, "service.instance.id": instance }
    const attributes = Object.entries(resource).map(([key, stringValue]) => ({ key, value: { stringValue } }))
    return {
      resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: "parlor", version }, spans }] }],
    }
  }

  #complain(reason: string, dropped: number): void {
    this.#dropped += dropped
    const now = this.#options.clock.now()
    if (now - this.#loggedAt < LOG_EVERY_MS) return
    this.#options.log.warn("spans dropped", { reason, dropped: this.#dropped })
    this.#loggedAt = now
    this.#dropped = 0
  }
}
