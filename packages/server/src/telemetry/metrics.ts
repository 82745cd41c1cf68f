/** What a server counts about its work (OPS-10). Turns and model calls are counted from the rows that it commits. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import type { TurnRow } from "@parlor/protocol"
import { type Labels, Registry } from "./registry.ts"

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const MS_PER_S = 1_000
const NS_PER_S = 1e9
const LOOP_RESOLUTION_MS = 20

/** What only the assembled server knows. */
export type Load = {
  /** Conversations that this server owns. */
  readonly leases: () => number
  readonly streams: () => number
  readonly isStoreDown: () => boolean
  /** Requests refused because of the caller, by code. */
  readonly refused: () => Readonly<Record<string, number>>
}

export class Metrics {
  readonly registry = new Registry()
  readonly #turns = this.registry.counter("parlor_turns_total", "Turns that ended, by agent and state.")
  readonly #started = this.registry.counter("parlor_turns_started_total", "Turns that started, by agent.")
  readonly #turnSeconds = this.registry.histogram("parlor_turn_duration_seconds", "Duration of turns.", SECONDS)
  readonly #firstToken = this.registry.histogram(
    "parlor_time_to_first_token_seconds",
    "From the start of a model call to its first output, by model.",
    SECONDS,
  )
  readonly #calls = this.registry.counter("parlor_model_calls_total", "Model calls that ended, by model and outcome.")
  readonly #tokens = this.registry.counter(
    "parlor_tokens_total",
    "Tokens of model calls, by agent, model and direction.",
  )
  readonly #cost = this.registry.counter("parlor_cost_dollars_total", "Cost of model calls where the price is known.")
  readonly #appends = this.registry.histogram(
    "parlor_append_duration_seconds",
    "Duration of commits to the store.",
    APPEND_SECONDS,
  )
  readonly #appendErrors = this.registry.counter("parlor_append_errors_total", "Commits that the store refused.")
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  /** Queued messages by conversation, as this server last wrote them. */
  readonly #queued = new Map<number, number>()
  #spooled = 0

  constructor() {
    this.#loop.enable()
    this.registry.gaugeOf("parlor_queue_length", "Queued messages of conversations that this server wrote last.", () =>
      [...this.#queued.values()].reduce((sum, count) => sum + count, 0),
    )
    this.registry.gaugeOf("parlor_spool_batches", "Writes that wait on disk for the store.", () => this.#spooled)
    for (const [quantile, name] of [
      [50, "median"],
      [99, "p99"],
    ] as const)
      this.registry.gaugeOf(
        `parlor_event_loop_delay_${name}_seconds`,
        "Delay of the event loop since the last reading.",
        () => Math.max(0, (this.#loop.percentile(quantile) - LOOP_RESOLUTION_MS * 1e6) / NS_PER_S),
      )
    this.registry.gaugeOf("parlor_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss())
    this.registry.gaugeOf("parlor_uptime_seconds", "Time since the process started.", () =>
      Math.round(process.uptime()),
    )
  }

  /** Called once, when the server is assembled. */
  watch({ leases, streams, isStoreDown, refused }: Load): void {
    this.registry.gaugeOf("parlor_leases", "Conversations that this server owns.", leases)
    this.registry.gaugeOf("parlor_streams", "Open event streams and long-polls.", streams)
    this.registry.gaugeOf("parlor_store_down", "1 while the store cannot be written to.", () => (isStoreDown() ? 1 : 0))
    this.registry.countersOf(
      "parlor_refused_requests_total",
      "Requests refused because of the caller.",
      "code",
      refused,
    )
  }

  async text(): Promise<string> {
    const text = await this.registry.text()
    this.#loop.reset()
    return text
  }

  committed(ms: number): void {
    this.#appends.observe(ms / MS_PER_S)
  }

  commitFailed(): void {
    this.#appendErrors.add()
  }

  queued(stream: number, count: number): void {
    if (count === 0) this.#queued.delete(stream)
    else if (this.#queued.has(stream) || this.#queued.size < MAX_QUEUES) this.#queued.set(stream, count)
  }

  spooled(batches: number): void {
    this.#spooled = batches
  }

  turnStarted({ agent }: TurnRow): void {
    this.#started.add({ agent })
  }

  turnEnded({ agent, state, startedAt, endedAt }: TurnRow): void {
    this.#turns.add({ agent, state })
    if (endedAt !== null) this.#turnSeconds.observe((endedAt - startedAt) / MS_PER_S, { agent })
  }

  /** One attempt at a model call, once it has ended. */
  modelCalled(agent: string, attempt: NonNullable<TurnRow["step"]>["attempts"][number]): void {
    const { model, startedAt, firstAt, error, usage } = attempt
    this.#calls.add({ model, outcome: error === null ? "ok" : "error" })
    if (firstAt !== null) this.#firstToken.observe((firstAt - startedAt) / MS_PER_S, { model })
    if (usage === null) return
    const by = (direction: string): Labels => ({ agent, model, direction })
    this.#tokens.add(by("input"), usage.inputTokens)
    this.#tokens.add(by("output"), usage.outputTokens)
    if (usage.costMicros > 0) this.#cost.add({ agent, model }, usage.costMicros / 1e6)
  }

  close(): void {
    this.#loop.disable()
  }
}

/** Conversations whose queue length is remembered. */
const MAX_QUEUES = 10_000
