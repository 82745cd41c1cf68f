/**
 * One prompt to a hosted agent, until it is answered (HST-5, HST-7, HST-9).
 *
 *   files out ─▶ budgets ─▶ prompt ─┬─ finished, or yields to steering ─▶ files in ─▶ answered
 *                   ▲               ├─ stopped ─▶ files in ─▶ the reply so far is kept
 *                   └─ wait ◀───────┤ process ended: its session is resumed
 *                                   └─ session cannot be resumed ─▶ interrupted: the turn fails and says so
 */
import type { MessageRow, NewChange } from "@parlor/protocol"
import { loadAttached } from "../composer/attached.ts"
import { Fenced, readState } from "../log/decide.ts"
import { orAborted } from "../model-call/or-aborted.ts"
import { admit, meterCall } from "../model-call/permit.ts"
import { retryDelay } from "../model-call/retry.ts"
import { showRetrying, showRunning, spenderOf } from "../model-call/spender.ts"
import { watchStall } from "../model-call/stall.ts"
import type { Place } from "../ports/files.ts"
import type { Harness, HarnessAsk, HarnessPrompt } from "../ports/harness.ts"
import { HarnessFault } from "../ports/harness.ts"
import { textOf } from "../text/text-of.ts"
import type { Actor } from "../workspace/change.ts"
import { checkIn, checkOut, leftNote } from "../workspace/programs.ts"
import { keepWithinBudget } from "./budget.ts"
import { keepWithinDay } from "./day-budget.ts"
import { askPermission, keepCommands, keepSession, settingsOf, textFiles } from "./harness-conversation.ts"
import { backgroundOf, missedOf, promptOf } from "./harness-prompt.ts"
import { countUsage, HarnessRecord } from "./harness-record.ts"
import { TurnProblem } from "./problem.ts"
import { type Run, turnChange } from "./run.ts"
import { isSteered } from "./steer.ts"
import { StopAsked } from "./stop-asked.ts"

/** A process that ends in the middle of a turn is started again this many times. */
const MAX_RESTARTS = 3
/** An agent that reports nothing for this long is stopped. The clock stands still while a person is asked. */
const SILENCE_MS = 30 * 60_000
/** How long a stopped agent may take to end: what it wrote until then is recorded. */
const GRACE_MS = 1_000
/** Between two looks at the files while the agent works. */
const LOOK_MS = 2_000
/** For the ledger, which limits what one call can have used. */
const LARGEST_WINDOW = 100_000_000

export class Hosting {
  readonly #run: Run
  readonly #harness: Harness
  readonly #messages: readonly MessageRow[]
  readonly #actor: Actor
  #asking = 0
  #lastAt = 0
  #lookedAt = 0
  #left: string | undefined

  constructor(run: Run, harness: Harness, messages: readonly MessageRow[]) {
    this.#run = run
    this.#harness = harness
    this.#messages = messages
    const { owner } = run.parts
    const { person } = owner.address
    this.#actor = { person, by: `agent:${run.brief.speaker.name}`, turn: run.turn.id, txid: owner.txid, owner }
  }

  async answer(isContinued: boolean): Promise<{ readonly last: readonly NewChange[]; readonly said: string }> {
    const run = this.#run
    const { node, parts } = run
    const { signal } = parts.abort
    const place = await this.#place(isContinued)
    let { session } = (await readState(node, parts.owner.stream)).status
    // The session is stored before a prompt is sent: without one, the agent has never heard of this message.
    let again = isContinued && (session ?? null) !== null
    for (let restarts = 0; ; ) {
      await keepWithinBudget(run)
      await keepWithinDay(run)
      const record = this.#record()
      try {
        await this.#prompt(record, { place, session: session ?? undefined, isContinued: again })
        return await this.#finished(record)
      } catch (error) {
        await this.#brokenOff(record)
        signal.throwIfAborted()
        if (!(error instanceof HarnessFault)) throw error
        session = (await readState(node, parts.owner.stream)).status.session
        if (error.kind === "session" && again && !this.#hasSpoken()) {
          // Nothing of it was seen: a new session answers the message.
          again = false
          session = null
        } else if ((error.kind === "ended" || error.kind === "start") && restarts < MAX_RESTARTS) {
          restarts += 1
          again = (session ?? null) !== null
          await this.#pause(restarts, error)
        } else throw await this.#problem(error)
      }
    }
  }

  #record(): HarnessRecord {
    const run = this.#run
    return new HarnessRecord(run, {
      onCommands: (commands) => keepCommands(run, commands),
      onCallsDone: async () => {
        const now = run.node.clock.now()
        if (now - this.#lookedAt < LOOK_MS) return
        this.#lookedAt = now
        await this.#checkIn()
      },
    })
  }

  async #prompt(
    record: HarnessRecord,
    how: { readonly place: Place; readonly session: string | undefined; readonly isContinued: boolean },
  ): Promise<void> {
    const run = this.#run
    const { node, parts, brief } = run
    const { owner, abort } = parts
    const { signal } = abort
    const spender = spenderOf(node, { owner, turn: run.turn, agent: brief.speaker.name, message: run.message })
    await admit(node, spender, signal)
    const yieldTo = new AbortController()
    const attached = await loadAttached(node.store.blobs, owner.address.person, this.#messages, {
      window: brief.speaker.model.window,
      shelf: parts.shelf,
    })
    this.#lastAt = node.clock.now()
    const prompt: HarnessPrompt = {
      conversation: String(owner.stream),
      address: owner.address,
      ...promptOf(this.#messages, attached),
      missed: missedOf(run.history, this.#messages),
      session: how.session,
      isContinued: how.isContinued,
      background: () => backgroundOf(brief.instructions, run.history, this.#messages, run.archive?.summary),
      ...how.place,
      settings: settingsOf(run),
      signal,
      yieldTo: yieldTo.signal,
      onSession: (id) => keepSession(this.#run, id),
      onEvent: (event) => {
        this.#lastAt = node.clock.now()
        record.take(event)
        if (event.type === "call" && (event.state === "done" || event.state === "failed"))
          void this.#yieldWhenSteered(record, yieldTo)
      },
      ask: (request) => this.#ask(record, request),
      workspace: textFiles(run, this.#actor),
    }
    const cancelWatch = watchStall(
      node.clock,
      SILENCE_MS,
      () => (this.#asking > 0 ? node.clock.now() : this.#lastAt),
      () => abort.abort(tooSilent()),
    )
    const running = this.#harness.run(prompt)
    try {
      await orAborted(signal, running)
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof Fenced)) await within(node.clock, GRACE_MS, running)
      running.catch(() => {})
      throw error
    } finally {
      cancelWatch()
      meterCall(
        node,
        spender,
        { name: record.model ?? brief.speaker.model.name, window: LARGEST_WINDOW },
        record.usage ?? { inputTokens: 0, outputTokens: 0, costMicros: 0 },
      )
    }
  }

  async #finished(record: HarnessRecord): Promise<{ readonly last: readonly NewChange[]; readonly said: string }> {
    const run = this.#run
    await record.close()
    run.parts.abort.signal.throwIfAborted()
    await this.#checkIn()
    if (this.#left !== undefined) {
      record.note("workspace.not-recorded", this.#left)
      this.#left = undefined
    }
    countUsage(run, record.usage)
    const text = run.reply === undefined ? "" : textOf(run.reply.parts)
    const last = await record.seal("done")
    run.parts.abort.signal.throwIfAborted()
    return { last, said: text === "" ? record.said : text }
  }

  /** The message so far is closed. After a stop it stays open: the end of the turn seals it. */
  async #brokenOff(record: HarnessRecord): Promise<void> {
    const run = this.#run
    const { signal } = run.parts.abort
    if (signal.aborted && signal.reason instanceof Fenced) return record.drop()
    await record.close().catch(() => {})
    countUsage(run, record.usage)
    if (!signal.aborted || signal.reason instanceof StopAsked) await this.#checkIn().catch(() => {})
    if (signal.aborted) return
    const last = await record.seal("truncated")
    await run.parts.write([...last, turnChange(run)])
  }

  async #pause(restarts: number, fault: HarnessFault): Promise<void> {
    const { node, parts, turn } = this.#run
    const { retry } = node.settings
    const wait = retryDelay(restarts + 1, retry, node.random.next(), undefined) ?? retry.maxMs
    const error = { code: faultCode(fault), detail: fault.message }
    await showRetrying(node, parts.owner, turn, { attempt: restarts + 1, retryAt: node.clock.now() + wait, error })
    await orAborted(parts.abort.signal, new Promise<void>((resolve) => void node.clock.after(wait, resolve)))
    await showRunning(node, parts.owner, turn)
  }

  async #problem(fault: HarnessFault): Promise<TurnProblem> {
    if (fault.kind === "session") await keepSession(this.#run, null)
    const detail =
      fault.kind === "session" || (fault.kind === "ended" && this.#hasSpoken())
        ? `The agent was interrupted and cannot continue where it was: ${fault.message} What it did so far is kept. Send a message to continue in a new session.`
        : fault.message
    return new TurnProblem(faultCode(fault), detail, { cause: fault })
  }

  /** Whether this turn has any output in the log. */
  #hasSpoken(): boolean {
    const { history, turn } = this.#run
    return history.some((one) => one.turn === turn.id && one.role === "agent")
  }

  async #place(isContinued: boolean): Promise<Place> {
    const { node, parts } = this.#run
    // What the interrupted attempt left on disk is its work, not an edit by hand.
    if (isContinued) await this.#checkIn()
    const place = await checkOut(node, parts.owner.stream, this.#actor)
    if (place === undefined)
      throw new TurnProblem("harness.start", "This server keeps no files on disk, and the agent needs a folder.")
    return place
  }

  async #checkIn(): Promise<void> {
    const { node, parts } = this.#run
    this.#left = leftNote(await checkIn(node, parts.owner.stream, this.#actor)) ?? this.#left
  }

  /** The clock of silence stands still while a person is asked. */
  async #ask(record: HarnessRecord, request: HarnessAsk): Promise<string | undefined> {
    await record.settled()
    this.#asking += 1
    try {
      return await askPermission(this.#run, request, record.askId(request.call))
    } finally {
      this.#asking -= 1
      this.#lastAt = this.#run.node.clock.now()
    }
  }

  /** A message that steers joins after a call, as between two steps (TRN-9). */
  async #yieldWhenSteered(record: HarnessRecord, yieldTo: AbortController): Promise<void> {
    try {
      await record.settled()
      if (record.hasRunningCalls || yieldTo.signal.aborted) return
      if (await isSteered(this.#run.node, this.#run.parts.owner)) yieldTo.abort()
    } catch {
      // The end of the prompt looks again.
    }
  }
}

function faultCode({ kind }: HarnessFault): string {
  if (kind === "refused") return "harness.failed"
  return kind === "start" ? "harness.start" : "harness.interrupted"
}

function tooSilent(): TurnProblem {
  return new TurnProblem("harness.timeout", `The agent reported nothing for ${SILENCE_MS / 60_000} minutes.`)
}

/** Waits for work, however it ends, but no longer than this. */
function within(clock: Run["node"]["clock"], ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    const done = () => {
      cancel()
      resolve()
    }
    work.then(done, done)
  })
}
