/**
 * Wakes an agent when something on a server changes.
 *
 *   quiet ──change──▶ fired, resting ──everyMs──▶ quiet, or fired again if something changed in between
 *
 * Many changes in a short time cause few wakes, and the last change is never missed. While a wake is queued, no other is
 * sent: the agent sees the current state when its turn starts. If several processes notice the same change, one of them
 * sends, because the idempotency key names the interval.
 */
import { createHash } from "node:crypto"
import type { Clock, Json, Log, Runtime } from "@parlor/core"
import { type Address, COMPOSER_INPUT, MAIN_BRANCH, Refusal } from "@parlor/protocol"
import type { WakeOn } from "./server-config.ts"

const EVERY_MS = 5_000
/** Limits an agent that changes what it watches and would wake itself forever. */
const PER_HOUR = 60
const HOUR_MS = 60 * 60_000
const LOCAL_PERSON = "me"
/** Attempts while the store is down. After that, the next change wakes the agent. */
const TRIES = 10

export type SendWake = Pick<Runtime, "send" | "txid">

export type WakerParts = {
  readonly server: string
  readonly on: WakeOn
  readonly clock: Clock
  readonly log: Log
  readonly send: () => SendWake | undefined
}

export class Waker {
  readonly on: WakeOn
  readonly address: Address
  lastAt: number | null = null
  lastError: string | null = null
  readonly #parts: WakerParts
  readonly #id: string
  #missed = false
  #isResting = false
  #isClosed = false
  #tries = 0
  readonly #sentAt: number[] = []
  #cancel = () => {}

  constructor(parts: WakerParts) {
    const { on, server } = parts
    this.on = on
    this.#parts = parts
    this.address = { agent: on.agent, branch: on.branch ?? MAIN_BRANCH, person: on.person ?? LOCAL_PERSON }
    const about = [server, subjectOf(on), this.address.agent, this.address.branch, this.address.person]
    this.#id = `mcp_${createHash("sha256").update(JSON.stringify(about)).digest("hex").slice(0, 24)}`
  }

  changed(): void {
    this.#missed = true
    if (!this.#isResting) void this.#fire()
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  /** Called once messages can be sent: reports changes from before. */
  begin(): void {
    if (this.#missed && !this.#isResting) void this.#fire()
  }

  async #fire(): Promise<void> {
    const sender = this.#parts.send()
    if (sender === undefined || this.#isClosed) return
    this.#isResting = true
    const pauseMs = this.#pauseMs()
    if (pauseMs > 0) return this.#rest(pauseMs)
    this.#missed = false
    try {
      await this.#send(sender)
      this.lastAt = this.#parts.clock.now()
      this.#sentAt.push(this.lastAt)
      this.lastError = null
      this.#tries = 0
    } catch (error) {
      this.#failed(error)
    }
    this.#rest(this.on.everyMs ?? EVERY_MS)
  }

  #rest(ms: number): void {
    if (this.#isClosed) return
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#isResting = false
      if (this.#missed) void this.#fire()
    })
  }

  /** How long until the next wake is allowed. */
  #pauseMs(): number {
    const now = this.#parts.clock.now()
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= now - HOUR_MS) this.#sentAt.shift()
    const [oldest = now] = this.#sentAt
    if (this.#sentAt.length < PER_HOUR) return 0
    this.lastError = `Paused: it woke the agent ${PER_HOUR} times within an hour.`
    this.#parts.log.warn("mcp events pause", { server: this.#parts.server, reason: this.lastError })
    return oldest + HOUR_MS - now
  }

  async #send({ send, txid }: SendWake): Promise<void> {
    const { server, on, clock } = this.#parts
    const now = clock.now()
    const span = String(Math.floor(now / (on.everyMs ?? EVERY_MS)))
    const subject = subjectOf(on)
    const source = on.prompt ?? `[${subject} of the MCP server ${server} changed. Check whether it matters here.]`
    await send(this.address, {
      type: COMPOSER_INPUT,
      payload: { source } satisfies Json,
      mode: "immediate",
      source: `mcp:${server}`,
      trigger: {
        source: "mcp-event",
        firedAt: now,
        scheduleId: this.#id,
        deliveryId: span,
        headers: null,
        subject,
      },
      unlessQueued: this.#id,
      key: { key: `${this.#id}:${span}`, hash: this.#id },
      txid: txid(),
    })
  }

  #failed(error: unknown): void {
    // The queued one will see the current state when its turn starts.
    if (error instanceof Error && error.name === "AlreadyQueued") return
    this.lastError = error instanceof Error ? error.message : String(error)
    this.#parts.log.warn("mcp event not delivered", { server: this.#parts.server, reason: this.lastError })
    if (error instanceof Refusal || ++this.#tries >= TRIES) this.#tries = 0
    else this.#missed = true
  }
}

export function subjectOf(on: WakeOn): string {
  return "resource" in on ? on.resource : `the list of ${on.list}`
}
