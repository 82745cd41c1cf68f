/** What people do: everything, at any time, to what is there, to what was there, and to what never was. */
import type { AskRow, QueueRow, SendMode } from "@parlor/protocol"
import type { Random } from "../faults/random.ts"
import { AGENTS } from "./agent-names.ts"
import type { Command } from "./command.ts"
import type { Conversation } from "./conversation.ts"

type Send = Extract<Command, { kind: "send" }>
type Choice = readonly [weight: number, make: (it: Conversation, random: Random) => Command | undefined]

const choices: readonly Choice[] = [
  [30, anySend],
  [6, anyRepeat],
  [7, anyStop],
  [9, anyEdit],
  [5, (it, random) => ({ kind: "lease", message: anyQueued(it, random), holder: random.pick(["tab1", "tab2"]) })],
  [2, (it, random) => ({ kind: "release", message: anyQueued(it, random) })],
  [4, (it, random) => ({ kind: "remove", message: anyQueued(it, random) })],
  [1, () => ({ kind: "clear" })],
  [5, (it, random) => ({ kind: "send-now", message: anyQueued(it, random) })],
  [2, () => ({ kind: "hold" })],
  [6, (it, random) => (it.status?.held || random.chance(0.2) ? { kind: "resume" } : undefined)],
  [12, anyAnswer],
  [1, (_, random) => ({ kind: "mark", title: `title ${random.int(1, 9)}` })],
  [1, (it, random) => ({ kind: "import", lines: lines(it, random) })],
]
const whole = choices.reduce((sum, [weight]) => sum + weight, 0)

/** One in so many is long, so that decisions see only its outline (QUE-17). */
const LONG_EVERY = 4
const LONG = " and more".repeat(100)
/** One in so many comes from a webhook. */
const TRIGGERED_EVERY = 3

export function anyCommand(it: Conversation, random: Random): Command {
  if (it.log.length === 0) return anySend(it, random)
  let left = random.int(0, whole - 1)
  for (const [weight, make] of choices) {
    left -= weight
    if (left < 0) return make(it, random) ?? anySend(it, random)
  }
  return anySend(it, random)
}

function anySend(it: Conversation, random: Random): Send {
  const modes: readonly [SendMode, ...SendMode[]] = ["immediate", "immediate", "immediate", "queued", "steer", "paused"]
  const number = it.ops.length
  return {
    kind: "send",
    text: `${it.name} m${number}${number % LONG_EVERY === 0 ? LONG : ""}`,
    mode: random.pick(modes),
    ...(number % TRIGGERED_EVERY === 1 ? { isTriggered: true } : {}),
    ...(random.chance(0.15) ? { guests: anyGuests(random) } : {}),
    ...(random.chance(0.05) ? { position: random.pick(["a0", "a1", "Zz", "a0V", "!", ""]) } : {}),
    ...(random.chance(0.4) ? { key: `key_${number}` } : {}),
  }
}

/** Now and then the conversation's own agent, or one of them twice. */
function anyGuests(random: Random): readonly string[] {
  return Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => random.pick(AGENTS))
}

/** The same again, as a client does that heard nothing; or the same key for something else. */
function anyRepeat(it: Conversation, random: Random): Command | undefined {
  const keyed = it.opsOf("send").filter((op) => op.command.key !== undefined)
  const earlier = anyOf(keyed.slice(-6), random)?.command
  if (earlier === undefined) return undefined
  return random.chance(0.75) ? { ...earlier } : { ...earlier, text: `${earlier.text} other` }
}

function anyStop(it: Conversation, random: Random): Command {
  const onQueue = random.chance(0.5) ? undefined : random.pick(["hold", "drain", "clear"] as const)
  const kind = random.int(0, 9)
  if (kind < 6) return { kind: "stop", turn: it.turn?.id, onQueue }
  if (kind < 8) return { kind: "stop", turn: undefined, onQueue }
  return { kind: "stop", turn: anyOf([...it.rows.turns.keys()].slice(-3), random) ?? "trn_none", onQueue }
}

function anyEdit(it: Conversation, random: Random): Command {
  const message = anyQueued(it, random)
  const version = (it.rows.queue.get(message)?.version ?? 1) + (random.chance(0.1) ? 1 : 0)
  const kind = random.int(0, 9)
  if (kind < 4) return { kind: "edit", message, body: { text: `${it.name} e${it.ops.length}`, version } }
  if (kind < 6)
    return { kind: "edit", message, body: { mode: random.pick(["paused", "immediate", "queued"]), version } }
  const beside = anyQueued(it, random)
  return { kind: "edit", message, body: { ...(kind < 8 ? { before: beside } : { after: beside }), version } }
}

function anyAnswer(it: Conversation, random: Random): Command | undefined {
  const all = [...it.rows.asks.values()]
  const open = all.filter((ask) => ask.state === "open")
  const ask = random.chance(0.9) ? anyOf(open, random) : anyOf(all.slice(-3), random)
  return ask && { kind: "answer", ask: ask.id, answer: answerTo(ask, random) }
}

function answerTo(ask: AskRow, random: Random): boolean | string {
  if (random.chance(0.1)) return random.pick<boolean | string>([true, "", "green"])
  if (ask.kind === "approval") return random.chance(0.7)
  return anyOf(ask.options ?? ["whatever"], random) ?? "red"
}

function anyQueued(it: Conversation, random: Random): string {
  const rows = [...it.rows.queue.values()]
  const row: QueueRow | undefined = random.chance(0.3) ? it.queue[0] : anyOf(rows, random)
  if (row !== undefined && random.chance(0.9)) return row.id
  return anyOf([...it.rows.messages.keys()].slice(-4), random) ?? "msg_none"
}

function lines(it: Conversation, random: Random): string[] {
  const line = (role: string) => JSON.stringify({ role, text: `${it.name} imported` })
  return random.chance(0.8) ? [line("person"), line("agent")] : [line("person"), "{"]
}

export function anyOf<T>(list: readonly T[], random: Random): T | undefined {
  return list.length === 0 ? undefined : list[random.int(0, list.length - 1)]
}
