/**
 * The processes of hosted agents: at most one per conversation, and a limited number together (HST-13).
 *
 *   none ──prompt──▶ starting ──▶ answering ──▶ idle ──time, or room is needed──▶ ended
 *                       ▲             └─ process ends ─▶ none     └──prompt──▶ answering
 *                       └── waits while all others are answering
 *
 * The one that has been idle longest ends first.
 */
import type { Clock, HarnessPrompt, Log } from "@parlor/core"
import type { LiveAgent, LiveParts } from "./live-agent.ts"
import type { Orphans } from "./orphans.ts"

type Place = {
  agent: LiveAgent | undefined
  isBusy: boolean
  idleSince: number
  cancelIdle: () => void
  /** Ends instead of becoming idle: its definition changed, or its conversation is deleted. */
  isUnwanted: boolean
}

export type PoolParts = {
  readonly most: number
  readonly clock: Clock
  readonly log: Log
  readonly orphans: Orphans
}

export class Pool {
  readonly #parts: PoolParts
  readonly #places = new Map<string, Place>()
  /** The last prompt of each; the next one waits for it. */
  readonly #tails = new Map<string, Promise<unknown>>()
  readonly #waiting: (() => void)[] = []

  constructor(parts: PoolParts) {
    this.#parts = parts
  }

  /** How many processes run. */
  get size(): number {
    return this.#places.size
  }

  /** One prompt after another for each key. */
  run(key: string, live: LiveParts, prompt: HarnessPrompt): Promise<void> {
    const before = this.#tails.get(key) ?? Promise.resolve()
    const answering = before.then(() => this.#answer(key, live, prompt))
    const tail = answering
      .catch(() => {})
      .finally(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key)
      })
    this.#tails.set(key, tail)
    return answering
  }

  /** Ends the processes whose key begins like this. */
  async end(prefix: string): Promise<void> {
    const found = [...this.#places].filter(([key]) => key.startsWith(prefix))
    await Promise.all(
      found.map(([key, place]) => {
        place.isUnwanted = true
        return this.#end(key, place, { now: true })
      }),
    )
  }

  /** Ends idle processes of these keys now, and busy ones after their prompt. */
  retire(isUnwanted: (key: string) => boolean): void {
    for (const [key, place] of this.#places) {
      if (!isUnwanted(key)) continue
      place.isUnwanted = true
      if (!place.isBusy) void this.#end(key, place)
    }
  }

  async #answer(key: string, live: LiveParts, prompt: HarnessPrompt): Promise<void> {
    prompt.signal.throwIfAborted()
    const place = this.#places.get(key) ?? (await this.#room(key, prompt.signal))
    place.isBusy = true
    place.cancelIdle()
    try {
      if (place.agent === undefined || place.agent.isOver)
        place.agent = await this.#start(key, place, live, prompt.signal)
      await place.agent.answer(prompt)
    } finally {
      place.isBusy = false
      if (place.isUnwanted || place.agent === undefined || place.agent.isOver) await this.#end(key, place)
      else this.#idle(key, place, live.command.idleMs)
    }
  }

  async #start(key: string, place: Place, live: LiveParts, signal: AbortSignal): Promise<LiveAgent> {
    const { log, orphans } = this.#parts
    // The protocol's schemas are loaded with the first hosted agent: most servers have none.
    const { LiveAgent: Agent } = await import("./live-agent.ts")
    const agent = await Agent.start(live, signal)
    const { pid } = agent
    if (pid !== undefined) await orphans.add(pid)
    log.info("hosted agent started", { program: live.command.command[0] ?? "", processes: this.#places.size })
    void agent.ended.then(() => {
      if (pid !== undefined) orphans.remove(pid)
      if (place.agent === agent && !place.isBusy) void this.#end(key, place)
    })
    return agent
  }

  /** A place for a new process: ends an idle one, or waits. */
  async #room(key: string, signal: AbortSignal): Promise<Place> {
    while (this.#places.size >= this.#parts.most) {
      const idle = [...this.#places]
        .filter(([, place]) => !place.isBusy)
        .sort(([, a], [, b]) => a.idleSince - b.idleSince)
      const [oldest] = idle
      if (oldest === undefined) await this.#freed(signal)
      else await this.#end(oldest[0], oldest[1])
      const known = this.#places.get(key)
      if (known !== undefined) return known
    }
    const place: Place = {
      agent: undefined,
      isBusy: true,
      idleSince: 0,
      cancelIdle: () => {},
      isUnwanted: false,
    }
    this.#places.set(key, place)
    return place
  }

  /** Resolves when a process has ended or become idle. */
  #freed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener("abort", onAbort)
        resolve()
      }
      const onAbort = () => {
        const index = this.#waiting.indexOf(leave)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal.reason)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      this.#waiting.push(leave)
    })
  }

  #idle(key: string, place: Place, ms: number): void {
    const { clock } = this.#parts
    place.idleSince = clock.now()
    place.cancelIdle = clock.after(ms, () => {
      if (!place.isBusy) void this.#end(key, place)
    })
    this.#waiting.shift()?.()
  }

  async #end(key: string, place: Place, options: { readonly now?: boolean } = {}): Promise<void> {
    place.cancelIdle()
    const { agent } = place
    if (!place.isBusy && this.#places.get(key) === place) this.#places.delete(key)
    try {
      await agent?.end(options)
    } finally {
      this.#waiting.shift()?.()
    }
  }
}
