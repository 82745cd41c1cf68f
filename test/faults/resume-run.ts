/**
 * Many times: kills the server in the middle of a reply with a second message queued, restarts it, waits for both to end.
 *
 *   ready ─▶ the cut reply is there ─▶ its turn ends ─▶ the queued one runs ─▶ send two ─▶ words seen ─▶ SIGKILL ─┐
 *     ▲                                                                                                        │
 *     └────────────────────────────────────────────────────────────────────────────────────────────────────────┘
 */
import type { TurnRow } from "@parlor/protocol"
import { Comparison, checkOutput, Violations } from "./comparison.ts"
import { Crowd } from "./crowd.ts"
import type { FakeModel } from "./fake-model.ts"
import { acknowledged } from "./history.ts"
import type { Random } from "./random.ts"
import type { RawEvent } from "./raw-events.ts"
import { Reader } from "./reader.ts"
import { type ServerOptions, type ServerProcess, spawnServer } from "./server-process.ts"
import { until } from "./waiting.ts"

const TALK = "host/main"
const FEWEST_PIECES = 2
const MOST_PIECES = 8
const SOON_MS = 20_000

export type ResumeRunOptions = {
  readonly rounds: number
  readonly random: Random
  readonly model: FakeModel
  readonly server: Omit<ServerOptions, "modelUrl">
}

export type ResumeRun = {
  readonly rounds: number
  /** Rounds in which the reply was truncated; in the others the kill came too late. */
  readonly cut: number
  /** From ready to the end of the queued message's turn, in milliseconds. */
  readonly tookMs: { readonly median: number; readonly p95: number; readonly most: number }
  readonly startMs: { readonly median: number; readonly most: number }
}

/** What a round leaves for the next one to check. */
type Left = { readonly first: string; readonly second: string; readonly reply: string; readonly shown: string }

export async function resumeRun(options: ResumeRunOptions): Promise<ResumeRun> {
  const run = new Run(options)
  try {
    for (let round = 1; round <= options.rounds; round++) await run.round(round)
    return await run.rest()
  } finally {
    await run.end()
  }
}

class Run {
  readonly #options: ResumeRunOptions
  readonly #crowd: Crowd
  readonly #comparison: Comparison
  readonly #reader: Reader
  readonly #turns = new Map<string, TurnRow>()
  readonly #tookMs: number[] = []
  readonly #startMs: number[] = []
  #shown = new Map<string, { text: string; pieces: number; state: string }>()
  /** The stored text of a truncated reply. */
  readonly #truncated = new Map<string, string>()
  #server: ServerProcess | undefined
  #left: Left | undefined
  #cut = 0

  constructor(options: ResumeRunOptions) {
    this.#options = options
    this.#crowd = new Crowd(options.random.fork())
    this.#comparison = new Comparison(this.#crowd.history, options.model)
    this.#reader = new Reader("the reader", TALK, 0, (reader, raw) => this.#see(reader, raw))
  }

  async round(round: number): Promise<void> {
    const { server, url, reading, dead } = await this.#start()
    await this.#untilResumed()
    await this.#comparison.compare(url, `after kill ${round - 1}`)
    const first = await this.#send(url, `First of round ${round}`)
    const second = await this.#send(url, `Second of round ${round}`)
    const pieces = this.#options.random.int(FEWEST_PIECES, MOST_PIECES)
    // On a busy machine words are sent together, so the reply may end with fewer pieces.
    const isOver = () => (this.#turns.get(first)?.endedAt ?? null) !== null
    const said = () => this.#shown.get(this.#replyTo(first))?.pieces ?? 0
    await until(SOON_MS, "words of the reply", () => said() >= pieces || isOver())
    await server.kill()
    dead.abort()
    await reading
    const reply = this.#replyTo(first)
    this.#left = { first, second, reply, shown: this.#shown.get(reply)?.text ?? "" }
    checkOutput(server)
  }

  async rest(): Promise<ResumeRun> {
    const { server, url, reading, dead } = await this.#start()
    await this.#untilResumed()
    dead.abort()
    await reading
    await this.#comparison.compareAtRest(url)
    const how = await server.stop()
    if (how !== 0) throw new Error(`the server ended with ${how}:\n${server.output()}`)
    const { p50: median, p95, most } = spread(this.#tookMs)
    const start = spread(this.#startMs)
    return {
      rounds: this.#options.rounds,
      cut: this.#cut,
      tookMs: { median, p95, most },
      startMs: { median: start.p50, most: start.most },
    }
  }

  async end(): Promise<void> {
    await this.#server?.kill()
  }

  async #start() {
    const began = performance.now()
    const server = spawnServer({ ...this.#options.server, modelUrl: this.#options.model.url })
    this.#server = server
    const url = await server.ready
    this.#startMs.push(performance.now() - began)
    const dead = new AbortController()
    return { server, url, dead, reading: this.#reader.follow(url, dead.signal) }
  }

  /**
   * The truncated reply is kept up to the last word shown, until the repeated step produces text. Its turn continues to its
   * end in the same row, and the queued message follows.
   */
  async #untilResumed(): Promise<void> {
    const left = this.#left
    if (left === undefined) return
    const began = performance.now()
    const ended = (message: string) => this.#turns.get(message)?.state === "done"
    await until(SOON_MS, "both turns to end", () => ended(left.first) && ended(left.second))
    this.#tookMs.push(performance.now() - began)
    const cut = this.#truncated.get(left.reply)
    const kept = cut ?? this.#shown.get(left.reply)?.text
    if (kept === undefined || !kept.startsWith(left.shown))
      throw new Violations([`[TRN-5] shown "${left.shown}", kept "${kept}"`], "after a kill")
    if (cut !== undefined) this.#cut += 1
    const replies = [...this.#replies].filter(([, turn]) => turn === this.#turns.get(left.first)?.id)
    if (replies.length !== 1)
      throw new Violations([`[TRN-18] ${replies.length} replies to one message`], "after a kill")
  }

  async #send(url: string, text: string): Promise<string> {
    await this.#crowd.send(url, TALK, { text, key: text, mode: "immediate" })
    const sending = this.#crowd.history.sends.find((one) => one.input.key === text)
    const message = sending && acknowledged(sending)[0]?.message
    if (message === undefined) throw new Error(`"${text}" was not accepted: ${JSON.stringify(sending?.answers)}`)
    return message
  }

  #replyTo(message: string): string {
    const turn = this.#turns.get(message)?.id
    return [...this.#replies].findLast(([, of]) => of === turn)?.[0] ?? ""
  }

  /** Replies and their turns, in the order they began. */
  readonly #replies = new Map<string, string>()

  #see(reader: Reader, raw: RawEvent): void {
    this.#crowd.history.see(reader, raw)
    const { event } = raw
    if (event.type === "turns") this.#turns.set(event.value.message, event.value)
    if (event.type === "messages" && event.value.role === "agent") {
      const known = this.#shown.get(event.key) ?? { text: "", pieces: 0, state: "" }
      this.#replies.set(event.key, event.value.turn ?? "")
      if (event.value.state === "streaming" && known.state === "truncated") this.#shown.delete(event.key)
      const full = event.value.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
      const text = full || (this.#shown.get(event.key)?.text ?? "")
      this.#shown.set(event.key, { ...known, text, state: event.value.state })
      if (event.value.state === "truncated") this.#truncated.set(event.key, text)
    }
    if (event.type === "deltas") {
      const known = this.#shown.get(event.value.message) ?? { text: "", pieces: 0, state: "streaming" }
      const text = known.text + event.value.text
      this.#shown.set(event.value.message, { ...known, text, pieces: known.pieces + 1 })
    }
  }
}

function spread(values: readonly number[]): { readonly p50: number; readonly p95: number; readonly most: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p95: at(0.95), most: at(1) }
}
