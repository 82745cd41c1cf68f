/**
 * One process of a hosted agent, for one conversation.
 *
 *   started ──session opened──▶ open ──prompt──▶ answering ──▶ open
 *      └────────────────────────┴──process ends──────┴──────▶ over
 *
 * One prompt at a time. A prompt that is canceled and does not end in time ends the process: the next one resumes the
 * session in a new process.
 */
import { randomUUID } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Clock, HarnessPrompt } from "@parlor/core"
import { AgentProcess } from "./agent-process.ts"
import { environmentOf } from "./environment.ts"
import type { SessionOffers } from "./offers.ts"
import type { AgentCommand } from "./options.ts"
import { shownPath } from "./paths.ts"
import { promptBlocks } from "./prompt-blocks.ts"
import { servicesFor } from "./services.ts"
import { Session, type Told } from "./session.ts"
import { Terminals } from "./terminals.ts"
import { eventOf, isFields, type UpdateContext } from "./updates.ts"
import { costOf, type SessionCost, usageIn } from "./usage.ts"

/** How long a canceled prompt may take to end. */
const CANCEL_MS = 5_000

export type LiveParts = {
  readonly command: AgentCommand
  readonly folder: string
  readonly home: string
  readonly clock: Clock
  readonly version: string
  readonly onOffers: (offers: SessionOffers) => void
}

export class LiveAgent {
  readonly #clock: Clock
  readonly #process: AgentProcess
  readonly #session: Session
  readonly #terminals: Terminals
  readonly #context: UpdateContext
  #commands: unknown
  #prompted: HarnessPrompt | undefined
  #cost: SessionCost = { spent: 0, isKnown: false }

  static async start(parts: LiveParts, signal: AbortSignal): Promise<LiveAgent> {
    const folders = { home: join(parts.home, "home"), temp: join(parts.home, "temp") }
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
    const agent = new LiveAgent(parts, environmentOf(process.env, parts.command.env, folders, randomUUID()))
    try {
      await agent.#process.initialize(signal)
      return agent
    } catch (error) {
      await agent.end({ now: true })
      throw error
    }
  }

  private constructor(parts: LiveParts, env: Readonly<Record<string, string>>) {
    const { command, folder, clock, version, onOffers } = parts
    this.#clock = clock
    this.#terminals = new Terminals(folder, env)
    this.#context = {
      relative: (path) => shownPath(folder, path),
      terminalOutput: (id) => this.#terminals.shown(id),
    }
    const services = servicesFor({
      folder,
      terminals: this.#terminals,
      context: this.#context,
      prompt: () => this.#prompted,
    })
    const onUpdate = (params: unknown) => this.#update(params)
    this.#process = new AgentProcess({ command, folder, env, clock, version, services, onUpdate })
    this.#session = new Session({ process: this.#process, folder, mcp: command.mcp, onOffers })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isOver(): boolean {
    return this.#process.isOver
  }

  get ended(): Promise<unknown> {
    return this.#process.ended
  }

  async end(options: { readonly now?: boolean } = {}): Promise<void> {
    await this.#terminals.releaseAll().catch(() => {})
    await this.#process.end(options)
  }

  /** Answers one prompt; see `Harness.run`. */
  async answer(prompt: HarnessPrompt): Promise<void> {
    this.#prompted = prompt
    try {
      const told = await this.#session.open(prompt)
      if (told.isNewSession) this.#cost = { spent: 0, isKnown: true }
      await this.#session.choose(prompt)
      const { model } = this.#session
      if (model !== undefined) prompt.onEvent({ type: "model", model })
      if (this.#commands !== undefined) this.#report(this.#commands)
      await this.#prompt(prompt, told)
    } finally {
      this.#prompted = undefined
    }
  }

  async #prompt(prompt: HarnessPrompt, told: Told): Promise<void> {
    const sessionId = this.#session.id
    const blocks = promptBlocks(prompt, told, this.#process.capabilities?.promptCapabilities)
    const answered = this.#process.agent.request<unknown>("session/prompt", { sessionId, prompt: blocks })
    answered.catch(() => {})
    const cancel = () => void this.#cancel(sessionId, answered)
    for (const signal of [prompt.signal, prompt.yieldTo]) {
      if (signal.aborted) cancel()
      else signal.addEventListener("abort", cancel, { once: true })
    }
    try {
      const response = await this.#process.answerTo(answered)
      prompt.onEvent({ type: "usage", usage: usageIn(response, this.#cost) })
      const note = stopNote(response, prompt.yieldTo.aborted || prompt.signal.aborted)
      if (note !== undefined) prompt.onEvent({ type: "notice", ...note })
      prompt.signal.throwIfAborted()
    } catch (error) {
      prompt.signal.throwIfAborted()
      throw error
    } finally {
      for (const signal of [prompt.signal, prompt.yieldTo]) signal.removeEventListener("abort", cancel)
    }
  }

  async #cancel(sessionId: string, answered: Promise<unknown>): Promise<void> {
    await this.#process.agent.notify("session/cancel", { sessionId }).catch(() => {})
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    answered.then(settled, settled)
    this.#clock.after(CANCEL_MS, () => {
      if (!isSettled) void this.end({ now: true })
    })
  }

  #update(params: unknown): void {
    if (!isFields(params)) return
    const { update } = params as { readonly update?: unknown }
    if (!isFields(update)) return
    const kind = update.sessionUpdate
    if (kind === "config_option_update" || kind === "current_mode_update") this.#session.changed(update)
    if (kind === "available_commands_update") this.#commands = update
    if (this.#prompted === undefined) return
    if (kind === "usage_update") costOf(update, this.#cost)
    if (!this.#session.isReplayed(update)) this.#report(update)
  }

  #report(update: unknown): void {
    const event = eventOf(update, this.#context)
    if (event !== undefined) this.#prompted?.onEvent(event)
  }
}

function stopNote(
  response: unknown,
  isCanceled: boolean,
): { readonly code: string; readonly text: string } | undefined {
  const reason = isFields(response) ? response.stopReason : undefined
  if (reason === "max_tokens") return { code: "agent.length", text: "The reply reached the model's maximum length." }
  if (reason === "max_turn_requests")
    return { code: "agent.requests", text: "The agent reached its limit of model requests." }
  if (reason === "refusal") return { code: "agent.refusal", text: "The agent refused to answer." }
  if (reason === "cancelled" && !isCanceled) return { code: "agent.cancelled", text: "The agent canceled its reply." }
  return undefined
}
