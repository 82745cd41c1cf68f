/** Compares what the clients were told with what a server shows now, for all their conversations. */
import { checkHistory } from "./check-history.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { checkRows, type KeptRow, rowsOfState } from "./check-rows.ts"
import type { FakeModel } from "./fake-model.ts"
import type { History } from "./history.ts"
import type { RawEvent } from "./raw-events.ts"
import type { ServerProcess } from "./server-process.ts"
import { type Conversation, MOST_MESSAGES, readLog, readState } from "./wire.ts"

const MAX_REPORTED = 10
const REPORTED_LENGTH = 600

export class Violations extends Error {
  constructor(found: readonly string[], where: string) {
    const shown = found.slice(0, MAX_REPORTED).map((line) => line.slice(0, REPORTED_LENGTH))
    super(`${found.length} violations ${where}:\n${shown.join("\n")}`)
    this.name = "Violations"
  }
}

export class Comparison {
  /** The part of each log read so far. */
  readonly logs = new Map<Conversation, RawEvent[]>()
  readonly #history: History
  readonly #model: FakeModel

  constructor(history: History, model: FakeModel) {
    this.#history = history
    this.#model = model
  }

  /** Reads new log entries and compares everything. Throws the violations. */
  async compare(url: string, where: string): Promise<void> {
    const found = [...this.#history.violations, ...this.#model.refusable.map((line) => `[TRN-8] ${line}`)]
    for (const conversation of new Set(this.#history.sends.map((sending) => sending.conversation))) {
      const log = this.logs.get(conversation) ?? []
      this.logs.set(conversation, log)
      const state = await readState(url, conversation)
      log.push(...(await readLog(url, conversation, log.length)))
      const rows = checkRows(log.slice(0, state.head), rowsOfState(state.rows), MOST_MESSAGES)
      const wrong = [...checkLog(log), ...checkHistory(this.#history, conversation, log), ...rows]
      found.push(...wrong.map((line) => `${conversation}: ${line}`))
    }
    if (found.length > 0) throw new Violations(found, where)
  }

  /** Compares again from the first event on; nothing may be left open. */
  async compareAtRest(url: string): Promise<void> {
    this.logs.clear()
    await this.compare(url, "at rest")
    const left = [...this.logs].flatMap(([name, log]) => checkRest(log).map((line) => `${name}: ${line}`))
    if (left.length > 0) throw new Violations(left, "at rest")
  }

  /** Compares all rows in the store itself. */
  async compareStore(rowsOf: (conversation: Conversation) => Promise<readonly KeptRow[]>): Promise<void> {
    const found: string[] = []
    for (const [conversation, log] of this.logs) found.push(...checkRows(log, await rowsOf(conversation)))
    if (found.length > 0) throw new Violations(found, "in the store")
  }
}

/** Whether nothing runs and nothing is queued. A queue that a stop has held is resumed (QUE-5). */
export async function isAtRest(url: string, comparison: Comparison, crowd: Nudging): Promise<boolean> {
  return (await unfinished(url, comparison, crowd)).length === 0
}

type Nudging = { nudge(url: string, conversation: Conversation): Promise<void> }

/** The conversations that are not at rest, each with what is left to do and the length of its log. */
export async function unfinished(url: string, comparison: Comparison, crowd: Nudging): Promise<string[]> {
  const left: string[] = []
  for (const conversation of comparison.logs.keys()) {
    const { head, rows } = await readState(url, conversation)
    const status = rows.find(({ event }) => event.type === "status")?.event
    const waiting = rows.filter(({ event }) => event.type === "queue").length
    if (status?.type !== "status") continue
    const { turn, held } = status.value
    if (turn !== null || waiting > 0)
      left.push(`${conversation}: ${waiting} queued, turn ${turn}, held ${JSON.stringify(held)}, ${head} events`)
    if (turn === null && held !== null && waiting > 0) await crowd.nudge(url, conversation)
  }
  return left
}

export function checkOutput(server: ServerProcess): void {
  const lines = server.output().split("\n")
  const errors = lines.filter((line) => /"level":(50|60)|Unhandled|Error:/.test(line))
  if (errors.length > 0) throw new Violations(errors, "in the server's own log")
}
