/** One conversation, spoken to and read through any node. */
import { randomBytes } from "node:crypto"
import {
  type AskRow,
  emptyRows,
  fold,
  inQueueOrder,
  type MessageRow,
  type Rows,
  type Sent,
  type StatusRow,
} from "@parlor/protocol"
import { expect } from "vitest"
import { checkLog, checkRest } from "../faults/check-log.ts"
import { checkRows, rowsOfState } from "../faults/check-rows.ts"
import type { RawEvent } from "../faults/raw-events.ts"
import { Reader } from "../faults/reader.ts"
import { until } from "../faults/waiting.ts"
import { type Answer, ask, make, pathOf, readLog, readState } from "../faults/wire.ts"
import type { TestNode } from "./node.ts"

const SOON_MS = 20_000

type Seen = { readonly raw: RawEvent; readonly at: number }

export type Following = {
  readonly seen: readonly Seen[]
  /** The text of the reply being said, as shown so far. */
  text(): string
  end(): Promise<void>
}

export class Talk {
  readonly name = `host/t-${randomBytes(6).toString("hex")}`
  readonly #any: TestNode

  private constructor(any: TestNode) {
    this.#any = any
  }

  static async begin(node: TestNode): Promise<Talk> {
    const talk = new Talk(node)
    expect(await make(node.url, talk.name)).toMatchObject({ outcome: "ok" })
    return talk
  }

  /** What the command answered; anything but success fails the test. */
  async do<T>(node: TestNode, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.try<T>(node, method, path, body)
    expect(answer, `${method} ${path}`).toMatchObject({ outcome: "ok" })
    return (answer as Extract<Answer<T>, { outcome: "ok" }>).value
  }

  try<T>(node: TestNode, method: string, path: string, body?: unknown, key?: string): Promise<Answer<T>> {
    return ask<T>(`${node.url}${pathOf(this.name)}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  send(node: TestNode, text: string, mode = "immediate"): Promise<Sent> {
    return this.do<Sent>(node, "POST", "/messages", { text, mode })
  }

  log(node: TestNode = this.#any): Promise<RawEvent[]> {
    return readLog(node.url, this.name, 0)
  }

  async rows(node: TestNode = this.#any): Promise<Rows> {
    const log = await this.log(node)
    return fold(
      emptyRows(),
      log.map((raw) => raw.event),
    )
  }

  async status(node?: TestNode): Promise<StatusRow | undefined> {
    return (await this.rows(node)).status.get("status")
  }

  async until(what: string, isSo: (rows: Rows) => boolean, node?: TestNode): Promise<Rows> {
    let rows = await this.rows(node)
    await until(SOON_MS, what, async () => {
      rows = await this.rows(node)
      return isSo(rows)
    })
    return rows
  }

  /** Nothing runs, and nothing waits that would start by itself. */
  rest(): Promise<Rows> {
    return this.until(
      "rest",
      ({ status, queue }) =>
        status.get("status")?.turn === null && (queue.size === 0 || status.get("status")?.held !== null),
    )
  }

  /** Follows from the first event on. */
  follow(node: TestNode): Following {
    const seen: Seen[] = []
    const over = new AbortController()
    const reader = new Reader("reader", this.name, 0, (_, raw) => seen.push({ raw, at: performance.now() }))
    const following = reader.follow(node.url, over.signal)
    return {
      seen,
      text: () => textOf(seen.map(({ raw }) => raw)),
      async end() {
        over.abort()
        await following
      },
    }
  }

  /** The log holds what must always hold, and the rows beside it are what it folds to. */
  async expectSound(options: { readonly atRest?: boolean } = {}): Promise<RawEvent[]> {
    const log = await this.log()
    expect(checkLog(log)).toEqual([])
    if (options.atRest ?? true) expect(checkRest(log)).toEqual([])
    expect(checkRows(log, rowsOfState((await readState(this.#any.url, this.name)).rows))).toEqual([])
    return log
  }
}

export function transcript(rows: Rows): string[] {
  return [...rows.messages.values()].sort((a, b) => a.ord - b.ord).map(line)
}

export function waiting(rows: Rows): string[] {
  return inQueueOrder(rows.queue.values()).map((row) => (row.payload as { source: string }).source)
}

export function openAsk(rows: Rows): AskRow | undefined {
  return [...rows.asks.values()].find((row) => row.state === "open")
}

function line(message: MessageRow): string {
  const said = message.parts.map((part) => {
    if (part.type === "tool") return `[${part.name} ${part.state}]`
    return part.type === "text" ? part.text : ""
  })
  return `${message.role}${message.state === "done" ? "" : ` (${message.state})`}: ${said.join("").trim()}`
}

function textOf(log: readonly RawEvent[]): string {
  const deltas = log.flatMap(({ event }) => (event.type === "deltas" ? [event.value] : []))
  const last = deltas.at(-1)?.message
  return deltas
    .filter((delta) => delta.message === last)
    .map((delta) => delta.text)
    .join("")
}
