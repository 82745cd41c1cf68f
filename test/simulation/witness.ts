/** Sees everything that happens in a simulation and has the checks look at it. */
import type { StreamKey } from "@parlor/core"
import { MAIN_BRANCH, type StreamId } from "@parlor/protocol"
import { AGENTS } from "./agent-names.ts"
import type { Backing } from "./backing.ts"
import { type Check, type Facts, type Failure, type Hooks, hooksOf, type Wrong } from "./check.ts"
import { allChecks } from "./checks/all-checks.ts"
import { Conversation, Tracked } from "./conversation.ts"
import type { Commit } from "./journal.ts"
import { isSummary, type ModelCall } from "./sim-model.ts"
import type { ToolRun } from "./sim-tools.ts"
import { checkFold, checkLog, checkNumbers, checkRows } from "./stream-checks.ts"

const FAILURES_KEPT = 20

export class Witness {
  readonly conversations: readonly Conversation[]
  readonly streams = new Map<StreamId, Tracked>()
  readonly failures: Failure[] = []
  step = 0
  readonly #feeds = ["ana", "bo"].map((person) => new Tracked({ kind: "feed", person }))
  readonly #checks = new Map<Conversation, Hooks>()
  /** How much of a stream was compared with the store. */
  readonly #compared = new Map<Tracked, number>()
  readonly #calls: ModelCall[] = []
  /** For each tool call a model made, the conversation it is of. */
  readonly #tokens: (Conversation | undefined)[] = []
  #callee: Conversation | undefined

  constructor(conversations: number, facts: Omit<Facts, "callNumbered">) {
    this.conversations = Array.from({ length: conversations }, (_, number) => this.#newConversation(number))
    for (const it of this.conversations) {
      const known: Facts = { ...facts, callNumbered: (number) => this.#calls[number] }
      const checks = Object.entries(allChecks).map(([name, make]) => make(it, this.wrong(name), known))
      this.#checks.set(it, hooksOf(checks))
    }
  }

  wrong(check: string): Wrong {
    return (rule, detail) => {
      if (this.failures.length < FAILURES_KEPT) this.failures.push({ check, rule, detail, step: this.step })
    }
  }

  tell<H extends keyof Check>(it: Conversation, hook: H, ...news: Parameters<NonNullable<Check[H]>>): void {
    for (const tell of this.#checks.get(it)?.[hook] ?? []) (tell as (...args: typeof news) => void)(...news)
  }

  known(id: StreamId, key: StreamKey): void {
    if (this.streams.has(id)) return
    const tracked = [...this.conversations, ...this.#feeds].find((one) => isSameKey(one.key, key))
    if (tracked === undefined) throw new Error(`nobody asked for ${JSON.stringify(key)}`)
    tracked.stream = id
    this.streams.set(id, tracked)
  }

  committed(commit: Commit): void {
    const it = this.streams.get(commit.stream)
    if (it === undefined) return
    checkNumbers(it, commit, this.wrong("numbers"))
    if (it instanceof Conversation) this.tell(it, "commit", commit)
    it.take(commit)
    if (it instanceof Conversation) this.tell(it, "folded", commit)
  }

  get nextCall(): number {
    return this.#calls.length
  }

  called(call: ModelCall): void {
    this.#calls.push(call)
    this.#callee = this.#conversationIn(call)
    if (this.#callee !== undefined) this.tell(this.#callee, isSummary(call.request) ? "summed" : "called", call)
    else this.wrong("requests")("TRN-8", `call ${call.number} has no message of a person`)
  }

  /** A new tool call of the model that was called last. */
  nextToken(): number {
    return this.#tokens.push(this.#callee) - 1
  }

  ran(run: ToolRun): void {
    const it = this.#tokens[run.token]
    if (it !== undefined) this.tell(it, "ran", run)
  }

  async checkStep(backing: Backing): Promise<void> {
    for (const it of this.conversations) this.tell(it, "step")
    if (backing.isCheap) await this.compare(backing)
  }

  /** What the store has against what was committed (LOG-1, LOG-3, LOG-5). `isWhole`: all of it again (LOG-36). */
  async compare(backing: Backing, { isWhole = false } = {}): Promise<void> {
    for (const it of this.streams.values()) {
      const from = isWhole ? 0 : (this.#compared.get(it) ?? 0)
      if (it.stream === undefined || (from > 0 && from === it.log.length)) continue
      this.#compared.set(it, it.log.length)
      const dump = await backing.dump(it.stream)
      checkLog(it, dump, from, this.wrong("numbers"))
      checkRows(it, dump?.rows ?? [], this.wrong("rows"))
      if (isWhole) checkFold(dump, this.wrong("rows"))
    }
  }

  transcript(): string {
    const lines = [...this.streams.values()].flatMap(({ log }) => log.map((change) => JSON.stringify(change)))
    const ops = this.conversations.flatMap((it) =>
      it.ops.map((op) => JSON.stringify([op.command, op.txid, op.outcome, op.answer, op.why, op.answeredAt])),
    )
    return [...lines, ...ops, JSON.stringify(this.failures)].join("\n")
  }

  #newConversation(number: number): Conversation {
    const [agent, feed] = [AGENTS[number % 2] ?? AGENTS[0], this.#feeds[number < 2 ? 0 : 1] as Tracked]
    const person = number < 2 ? "ana" : "bo"
    return new Conversation(`@c${number}`, { agent, person, branch: MAIN_BRANCH }, feed)
  }

  /** People's messages begin with the name of their conversation. */
  #conversationIn({ request }: ModelCall): Conversation | undefined {
    for (const message of request.messages) {
      const name = message.role === "person" ? /@c\d/.exec(message.text)?.[0] : undefined
      if (name !== undefined) return this.conversations.find((it) => it.name === name)
    }
    return undefined
  }
}

function isSameKey(a: StreamKey, b: StreamKey): boolean {
  if (a.kind === "feed" || b.kind === "feed") return a.kind === "feed" && b.kind === "feed" && a.person === b.person
  return a.agent === b.agent && a.person === b.person && a.branch === b.branch
}
