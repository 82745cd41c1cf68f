/** One function per question. Each starts servers of its own, and returns numbers by name. */
import { bytesIn, cpuMs, memoryMb, pause, percentile } from "./machine.ts"
import type { Running, System, Talk } from "./systems.ts"

export type Figures = Readonly<Record<string, number>>

export type PhaseOptions = {
  /** How long a phase with load runs. */
  readonly seconds: number
  /** Ends such a phase after so many turns instead, however long they take. */
  readonly turns?: number
}

const NEW_TALK_EVERY = 10

/** g: from nothing to the first answer. */
export async function coldStart(system: System): Promise<Figures> {
  const started = performance.now()
  return using(system, async (running) => {
    const ready = performance.now() - started
    const talk = await running.talk()
    await talk.turn("n=5")
    return { "cold start, ready ms": ready, "cold start, first answer ms": performance.now() - started }
  })
}

/** a: one conversation at a time, answers of 200 tokens. */
export async function longTurns(system: System): Promise<Figures> {
  return using(system, async (running) => {
    const talks = await several(running, 10)
    for (const talk of talks) await talk.turn("n=20")
    const [first, total]: [number[], number[]] = [[], []]
    const before = cpuMs(running.pids)
    for (let n = 0; n < 60; n++) {
      const { firstMs, totalMs } = await (talks[n % talks.length] as Talk).turn("n=200")
      first.push(firstMs)
      total.push(totalMs)
    }
    return {
      "a: 200 tokens, first token p50 ms": percentile(first, 0.5),
      "a: 200 tokens, turn p50 ms": percentile(total, 0.5),
      "a: 200 tokens, CPU ms": (cpuMs(running.pids) - before) / total.length,
    }
  })
}

/** b: answers of five tokens, back to back, in so many conversations. A new conversation after ten turns. */
export async function shortTurns(system: System, conversations: number, options: PhaseOptions): Promise<Figures> {
  return using(system, async (running) => {
    const talks = await several(running, conversations)
    await Promise.all(talks.map((talk) => talk.turn("n=5")))
    const counted = await running.counters()
    const [before, stored, started] = [cpuMs(running.pids), bytesIn(running.folder), performance.now()]
    const lasts = options.turns === undefined ? options.seconds * 1000 : Number.POSITIVE_INFINITY
    const times: number[] = []
    let [bytes, ended] = [0, 0]
    const isOver = () =>
      performance.now() - started > lasts || times.length >= (options.turns ?? Number.POSITIVE_INFINITY)
    await Promise.all(
      talks.map(async (first) => {
        let talk = first
        for (let n = 1; !isOver(); n++) {
          if (n % NEW_TALK_EVERY === 0) {
            talk.close()
            talk = await running.talk()
          }
          const had = talk.bytes()
          times.push((await talk.turn("n=5")).totalMs)
          bytes += talk.bytes() - had
        }
        ended = performance.now()
        talk.close()
      }),
    )
    const name = `b: ${conversations} conversations`
    const counters = Object.entries(await running.counters()).map(
      ([what, total]) => [`${name}, ${what}`, (total - (counted[what] ?? 0)) / times.length] as const,
    )
    return {
      ...Object.fromEntries(counters),
      [`${name}, turns/s`]: (times.length / (ended - started)) * 1000,
      [`${name}, p50 ms`]: percentile(times, 0.5),
      [`${name}, p99 ms`]: percentile(times, 0.99),
      [`${name}, slowest ms`]: percentile(times, 1),
      [`${name}, CPU ms`]: (cpuMs(running.pids) - before) / times.length,
      [`${name}, wire bytes`]: bytes / times.length,
      [`${name}, disk KB`]: (bytesIn(running.folder) - stored) / 1024 / times.length,
      [`${name}, memory MB`]: memoryMb(running.pids),
    }
  })
}

/** c: 64 conversations, answers of 500 tokens. */
export async function streaming(system: System, { seconds }: PhaseOptions): Promise<Figures> {
  return using(system, async (running) => {
    const talks = await several(running, 64)
    await Promise.all(talks.map((talk) => talk.turn("n=5")))
    const [before, started] = [cpuMs(running.pids), performance.now()]
    let tokens = 0
    await Promise.all(
      talks.map(async (talk) => {
        while (performance.now() - started < seconds * 1000) {
          const { chars } = await talk.turn("n=500")
          tokens += chars / 4
        }
      }),
    )
    const cpu = cpuMs(running.pids) - before
    return {
      "c: tokens/s": (tokens / (performance.now() - started)) * 1000,
      "c: CPU µs per token": (cpu * 1000) / tokens,
    }
  })
}

/** d: how late 200 readers of one conversation get 50 tokens per second. */
export async function fanOut(system: System, readers = 200): Promise<Figures> {
  return using(system, async (running) => {
    const talk = await running.talk()
    await talk.turn("n=5")
    const late: number[] = []
    const heard = (text: string) => {
      const now = performance.timeOrigin + performance.now()
      for (const [, at] of text.matchAll(/@([\d.]+) /g)) late.push(now - Number(at))
    }
    const others = await Promise.all(Array.from({ length: readers }, () => running.listen(talk.id, heard)))
    await talk.turn("n=200 rate=50 at=1")
    await pause(500)
    for (const other of others) other.close()
    return {
      [`d: ${readers} readers, p50 ms`]: percentile(late, 0.5),
      [`d: ${readers} readers, p99 ms`]: percentile(late, 0.99),
    }
  })
}

/** e: a turn in a conversation of so many messages. */
export async function longHistory(system: System, messages: number): Promise<Figures> {
  return using(system, async (running) => {
    const words = "lorem ipsum dolor sit amet consectetur adipiscing"
    const lines = Array.from({ length: messages }, (_, n) =>
      JSON.stringify({ role: n % 2 === 0 ? "person" : "agent", text: `message ${n} ${words}` }),
    )
    await running.ask("POST", "/v1/import?agent=host&branch=long", lines.join("\n"))
    const talk = await running.talk("long")
    const [turns, opened]: [number[], number[]] = [[], []]
    for (let n = 0; n < 7; n++) {
      turns.push((await talk.turn("n=5")).totalMs)
      const started = performance.now()
      await running.ask("GET", "/v1/conversations/host/long?messages=50")
      opened.push(performance.now() - started)
    }
    return {
      [`e: ${messages} messages, turn p50 ms`]: percentile(turns.slice(1), 0.5),
      [`e: ${messages} messages, first page p50 ms`]: percentile(opened.slice(1), 0.5),
    }
  })
}

/** V8 gives back what a start, or any work, took once nothing has happened for a while. */
const IDLE_MS = 25_000

const IDLE = 2_000

/** f: memory after the start and at rest, and what a conversation adds. */
export async function memory(system: System): Promise<Figures> {
  return using(system, async (running) => {
    const talk = await running.talk()
    await talk.turn("n=5")
    talk.close()
    await pause(2_000)
    const started = memoryMb(running.pids)
    const atRest = async () => {
      await pause(IDLE_MS)
      return memoryMb(running.pids)
    }
    const rest = await atRest()
    const create = async (from: number) => {
      for (let n = 0; n < IDLE; n++) await running.ask("PUT", `/v1/conversations/host/idle-${from + n}`)
    }
    // The first ones fill caches and have code compiled, which the others find.
    await create(0)
    const before = await atRest()
    await create(IDLE)
    return {
      "f: memory at start MB": started,
      "f: memory at rest MB": rest,
      "f: KB per idle conversation": (((await atRest()) - before) * 1024) / IDLE,
    }
  })
}

async function several(running: Running, count: number): Promise<Talk[]> {
  const talks: Talk[] = []
  for (let n = 0; n < count; n++) talks.push(await running.talk())
  return talks
}

async function using<T>(system: System, work: (running: Running) => Promise<T>): Promise<T> {
  const running = await system.start()
  try {
    return await work(running)
  } finally {
    await running.stop()
  }
}
