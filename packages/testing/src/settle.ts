/** Waiting in a scenario: in real time for real I/O; the clock is advanced when nothing else happens. */
import type { AskRow, Rows } from "@parlor/protocol"
import type { World } from "./world.ts"

/** How far the clock is advanced when nothing else happens. */
const NUDGE_MS = 100
const QUIET_ROUNDS = 20
/** Shorter than any timeout of a model or a tool, so that no timeout is skipped. */
const PASS_MS = 20_000
const LISTED = 100
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Resolves when the conversation is idle, or when the agent asks the person something. */
export async function settle(world: World, rows: () => Promise<Rows>): Promise<void> {
  await until(world, async () => {
    const now = await rows()
    return isSettled(now) ? undefined : JSON.stringify(now.status.get("status"))
  })
}

/** Advances the clock; whatever becomes due happens, one thing after another. */
export async function pass(world: World, span: number | string): Promise<void> {
  const { clock } = world
  const end = clock.now() + msOf(span)
  while (clock.now() < end) {
    await clock.advance(Math.min(PASS_MS, end - clock.now()))
    await until(world, () => busyConversation(world))
  }
}

export function openAsks(rows: Rows): readonly AskRow[] {
  return [...rows.asks.values()].filter(({ state }) => state === "open")
}

/** `left` returns what is left to do, or undefined if nothing is. */
async function until(world: World, left: () => Promise<string | undefined>): Promise<void> {
  const latest = Date.now() + world.patienceMs
  for (let round = 1; ; round++) {
    const what = await left()
    if (what === undefined) return
    if (Date.now() > latest) throw new Error(`The agent has not finished: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, round > QUIET_ROUNDS ? 1 : 0))
    await world.clock.advance(round > QUIET_ROUNDS ? NUDGE_MS : 1)
  }
}

function isSettled(rows: Rows): boolean {
  const status = rows.status.get("status")
  if (status === undefined || openAsks(rows).length > 0) return true
  const waits = status.held === null && [...rows.queue.values()].some(({ mode }) => mode !== "paused")
  return status.turn === null && !waits
}

/** Checks every conversation of every participant. */
async function busyConversation({ process, people }: World): Promise<string | undefined> {
  const all = { agent: undefined, archived: false, ephemeral: true, cursor: undefined, limit: LISTED }
  for (const person of people) {
    const { conversations } = await process.runtime.list(person, all)
    const busy = conversations.find(({ state }) => state === "busy" || state === "retrying")
    if (busy !== undefined) return `${busy.agent}/${busy.branch} is ${busy.state}`
  }
  return undefined
}

function msOf(span: number | string): number {
  if (typeof span === "number") return span
  const [, count, unit = ""] = /^(\d+)([smhd])$/.exec(span) ?? []
  if (count === undefined)
    throw new Error(`"${span}" is not a time span. Use milliseconds, or a form like 90s, 10m, 2h, 1d.`)
  return Number(count) * (UNITS[unit] ?? 0)
}
