/**
 * Many of everything, for some time: open streams, conversations, messages in one conversation, one large message. Prints
 * memory and p99 while a hundredth of the streams is active, and how both grow per minute.
 */
import { memoryMb, pause, percentile, slope } from "./machine.ts"
import type { Running, System, Talk } from "./systems.ts"

const STREAMS = 10_000
const ACTIVE_SHARE = 0.01
const CONVERSATIONS = 100_000
const MESSAGES = 100_000
/** Of four characters each: a reply of 5 MB. */
const LARGE_TOKENS = 1_250_000
/** A person has limits of conversations and of open streams. */
const PEOPLE = 400
const AT_ONCE = 32
const SAMPLE_MS = 5_000

/** `scale`: of the counts, for a small machine or a short time. */
export type SoakOptions = { readonly minutes: number; readonly scale: number }

export async function soak(system: System, options: SoakOptions): Promise<void> {
  const conversations = Math.round(CONVERSATIONS * options.scale)
  const messages = Math.round(MESSAGES * options.scale)
  const running = await system.start()
  try {
    say("at start", running)
    await inParallel(conversations, (n) =>
      running.ask("PUT", `/v1/conversations/host/many-${n}`, undefined, personOf(n)),
    )
    say(`${conversations} conversations`, running)
    const lines = Array.from({ length: messages }, (_, n) =>
      JSON.stringify({ role: n % 2 === 0 ? "person" : "agent", text: `message ${n}` }),
    )
    await running.ask("POST", "/v1/import?agent=host&branch=long", lines.join("\n"))
    const long = await running.talk("long")
    const [first, second] = [await long.turn("n=5"), await long.turn("n=5")]
    say(`after ${messages} messages, a turn with a summary in ${first.totalMs.toFixed(0)} ms`, running)
    say(`the next turn in ${second.totalMs.toFixed(1)} ms`, running)
    const large = await running.talk("large")
    const { chars, totalMs } = await large.turn(`n=${LARGE_TOKENS}`)
    say(`a reply of ${chars} characters in ${totalMs.toFixed(0)} ms`, running)
    const started = performance.now()
    await running.ask("GET", "/v1/conversations/host/large?messages=1")
    say(`opened in ${(performance.now() - started).toFixed(1)} ms`, running)
    await streams(running, options)
  } finally {
    await running.stop()
  }
}

async function streams(running: Running, { minutes, scale }: SoakOptions): Promise<void> {
  const count = Math.round(STREAMS * scale)
  const talks: Talk[] = []
  await inParallel(count, async (n) => void talks.push(await running.talk(undefined, personOf(n))))
  say(`${count} open streams`, running)
  const most = Math.ceil(count * ACTIVE_SHARE)
  const memory: [number, number][] = []
  const late: [number, number][] = []
  const began = performance.now()
  while (performance.now() - began < minutes * 60_000) {
    // Different conversations each round: otherwise prompts would grow, and turns with them.
    const from = (memory.length * most) % talks.length
    const active = talks.slice(from, from + most)
    const times = await Promise.all(active.map(async (talk) => (await talk.turn("n=20")).totalMs))
    const minute = (performance.now() - began) / 60_000
    memory.push([minute, memoryMb(running.pids)])
    late.push([minute, percentile(times, 0.99)])
    say(`${active.length} of ${count} active: p99 ${percentile(times, 0.99).toFixed(0)} ms`, running)
    await pause(SAMPLE_MS)
  }
  process.stdout.write(`per minute: ${slope(memory).toFixed(2)} MB, ${slope(late).toFixed(2)} ms of p99\n`)
}

const personOf = (n: number) => `bench:${n % PEOPLE}`

function say(what: string, { pids }: Running): void {
  process.stdout.write(`${memoryMb(pids).toFixed(0).padStart(6)} MB  ${what}\n`)
}

async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await work(next++)
    }),
  )
}
