/** Session metadata that a client shows: title, commands, context window usage. Pure. */
import type { ChangeEvent, SlashCommandRow, Snapshot, TurnRow } from "@parlor/protocol"
import { acpCommands } from "./acp-messages.ts"
import type { AcpUpdate } from "./acp-update.ts"

export class AcpFacts {
  readonly #commands = new Map<string, SlashCommandRow>()
  #title = ""
  #activityAt = 0
  #used = 0
  #window = 0
  #costMicros = 0
  /** As last sent to the client. */
  readonly #told = new Map<AcpUpdate["sessionUpdate"], string>()

  /** Without a snapshot, all values start empty. */
  constructor(snapshot?: Pick<Snapshot, "slashCommands" | "status">) {
    for (const command of snapshot?.slashCommands ?? []) this.#commands.set(command.name, command)
    if (snapshot !== undefined) this.#readStatus(snapshot.status)
  }

  read(change: ChangeEvent): void {
    if (change.type === "slashCommands") {
      if (change.headers.operation === "delete") this.#commands.delete(change.key)
      else this.#commands.set(change.key, change.value)
    }
    if (change.headers.operation === "delete") return
    if (change.type === "status") this.#readStatus(change.value)
    if (change.type === "turns") this.#readTurn(change.value)
  }

  /** Updates for what changed since the last call. */
  news(): readonly AcpUpdate[] {
    const facts = [acpCommands([...this.#commands.values()]), ...this.#info(), ...this.#usage()]
    return facts.filter((fact) => {
      const key = fact.sessionUpdate === "session_info_update" ? fact.title : JSON.stringify(fact)
      if (this.#told.get(fact.sessionUpdate) === key) return false
      this.#told.set(fact.sessionUpdate, key)
      return true
    })
  }

  #readStatus({ title, activityAt, usage }: Snapshot["status"]): void {
    this.#title = title
    this.#activityAt = activityAt
    this.#costMicros = usage.costMicros
  }

  /** The token counts that the model reported for its last call. */
  #readTurn({ step, compaction }: TurnRow): void {
    const usage = step?.attempts.findLast((attempt) => attempt.usage !== null)?.usage
    if (step === null || usage === undefined || usage === null || compaction !== null) return
    this.#used = usage.inputTokens + usage.outputTokens
    this.#window = step.window
  }

  #info(): readonly AcpUpdate[] {
    if (this.#title === "") return []
    const updatedAt = new Date(this.#activityAt).toISOString()
    return [{ sessionUpdate: "session_info_update", title: this.#title, updatedAt }]
  }

  #usage(): readonly AcpUpdate[] {
    if (this.#window === 0) return []
    const cost = this.#costMicros === 0 ? {} : { cost: { amount: this.#costMicros / 1e6, currency: "USD" as const } }
    return [{ sessionUpdate: "usage_update", used: this.#used, size: this.#window, ...cost }]
  }
}
