/** Session metadata that a client shows: title, commands, model, context window usage. Pure. */
import type { ChangeEvent, ModelSettings, ModelView, SlashCommandRow, Snapshot, TurnRow } from "@parlor/protocol"
import { acpCommands } from "./acp-messages.ts"
import { acpConfigOptions } from "./acp-models.ts"
import type { AcpUpdate } from "./acp-update.ts"

export class AcpFacts {
  readonly #commands = new Map<string, SlashCommandRow>()
  #title = ""
  #activityAt = 0
  #used = 0
  #window = 0
  #costMicros = 0
  #settings: ModelSettings | null = null
  readonly #models: readonly ModelView[]
  /** As last sent to the client. */
  readonly #told = new Map<AcpUpdate["sessionUpdate"], string>()

  /** Without a snapshot, all values start empty. `models`: those that the agent offers. */
  constructor(snapshot?: Pick<Snapshot, "slashCommands" | "status">, models: readonly ModelView[] = []) {
    this.#models = models
    for (const command of snapshot?.slashCommands ?? []) this.#commands.set(command.name, command)
    if (snapshot !== undefined) this.#readStatus(snapshot.status)
    // The response that opened the session had them.
    for (const update of this.#model()) this.#told.set(update.sessionUpdate, JSON.stringify(update))
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
    const facts = [acpCommands([...this.#commands.values()]), ...this.#info(), ...this.#model(), ...this.#usage()]
    return facts.filter((fact) => {
      const key = fact.sessionUpdate === "session_info_update" ? fact.title : JSON.stringify(fact)
      if (this.#told.get(fact.sessionUpdate) === key) return false
      this.#told.set(fact.sessionUpdate, key)
      return true
    })
  }

  #readStatus({ title, activityAt, usage, settings }: Snapshot["status"]): void {
    this.#settings = settings
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

  #model(): readonly AcpUpdate[] {
    const configOptions = acpConfigOptions(this.#models, this.#settings)
    return configOptions.length === 0 ? [] : [{ sessionUpdate: "config_option_update", configOptions }]
  }

  #usage(): readonly AcpUpdate[] {
    if (this.#window === 0) return []
    const cost = this.#costMicros === 0 ? {} : { cost: { amount: this.#costMicros / 1e6, currency: "USD" as const } }
    return [{ sessionUpdate: "usage_update", used: this.#used, size: this.#window, ...cost }]
  }
}
