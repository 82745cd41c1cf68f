/**
 * The session of a hosted agent (HST-7, HST-10, HST-12).
 *
 *   none ──▶ new ─────────────────────────▶ open ──model and mode chosen──▶ open
 *     └────▶ loaded (replayed) or resumed ──┘
 *
 * A session that is loaded is replayed: from that it is known whether it has heard a message already.
 */
import type { NewSessionRequest } from "@agentclientprotocol/sdk"
import { HarnessFault, type HarnessPrompt } from "@parlor/core"
import type { AgentProcess } from "./agent-process.ts"
import { mcpServersFor } from "./mcp-servers.ts"
import { offersIn, type SessionOffers } from "./offers.ts"
import type { HostedMcpServer } from "./options.ts"
import { CONTINUE } from "./prompt-blocks.ts"
import { userText } from "./updates.ts"

const SETTING_MS = 30_000
const MAX_REPLAYED_CHARS = 100_000
const ANSWERED = "\u0000"

export type SessionParts = {
  readonly process: AgentProcess
  readonly folder: string
  readonly mcp: readonly HostedMcpServer[]
  readonly onOffers: (offers: SessionOffers) => void
}

/** What to send. */
export type Told = { readonly text: string; readonly background: string; readonly isNewSession?: true }

export class Session {
  readonly #parts: SessionParts
  #id: string | undefined
  #offers: SessionOffers = {}
  /** What the session used before anything was chosen. */
  #own: { readonly model?: string; readonly mode?: string } = {}
  #replay: string | undefined

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  get id(): string {
    return this.#id ?? ""
  }

  get model(): string | undefined {
    return this.#offers.model?.current
  }

  /** In a session that knows the message already, only to continue. */
  async open(prompt: HarnessPrompt): Promise<Told> {
    const { text, isContinued } = prompt
    if (this.#id !== undefined && this.#id === prompt.session)
      return { text: isContinued ? `${CONTINUE}\n\n${text}` : text, background: "" }
    const known = prompt.session === undefined ? undefined : await this.#resume(prompt, prompt.session)
    if (known === undefined) {
      if (isContinued) throw new HarnessFault("session", "It cannot resume its session.")
      return { text, background: await this.#new(prompt), isNewSession: true }
    }
    if (!isContinued) return { text, background: "" }
    if (known.replay !== undefined) return { text: hasHeard(known.replay, text) ? CONTINUE : text, background: "" }
    return { text: `${CONTINUE} If you have not seen this message, answer it:\n\n${text}`, background: "" }
  }

  /** Sets what the person chose, or what the session had if the choice was withdrawn. */
  async choose({ settings, signal, onEvent }: HarnessPrompt): Promise<void> {
    for (const kind of ["model", "mode"] as const) {
      const offer = this.#offers[kind]
      const wanted = settings[kind] ?? this.#own[kind]
      if (wanted === undefined || offer?.current === wanted) continue
      if (offer === undefined || !offer.choices.some(({ id }) => id === wanted)) {
        const text = `The agent does not offer the ${kind} "${wanted}" in this session.`
        if (settings[kind] !== undefined) onEvent({ type: "notice", code: `${kind}.not-offered`, text })
        continue
      }
      const sessionId = this.id
      const { process } = this.#parts
      const { config } = offer
      const set = (): Promise<unknown> => {
        if (config !== undefined)
          return process.agent.request("session/set_config_option", { sessionId, configId: config, value: wanted })
        return kind === "mode"
          ? process.agent.request("session/set_mode", { sessionId, modeId: wanted })
          : process.agent.request<unknown>("session/set_model", { sessionId, modelId: wanted })
      }
      const after = await process.request(signal, set, SETTING_MS)
      this.#offers = offersIn(after, { ...this.#offers, [kind]: { ...offer, current: wanted } })
    }
  }

  /** Takes an update of the session's options. */
  changed(update: Readonly<Record<string, unknown>>): void {
    const { mode } = this.#offers
    const current = update.currentModeId
    if (typeof current === "string" && mode !== undefined)
      this.#offers = { ...this.#offers, mode: { ...mode, current } }
    else this.#offers = offersIn(update, this.#offers)
    this.#parts.onOffers(this.#offers)
  }

  /** Whether the update is part of a replay: then it is not news. */
  isReplayed(update: Readonly<Record<string, unknown>>): boolean {
    if (this.#replay === undefined) return false
    const { sessionUpdate: kind } = update
    if (this.#replay.length < MAX_REPLAYED_CHARS) this.#replay += userText(update)
    if (kind === "agent_message_chunk" || kind === "tool_call") this.#replay += ANSWERED
    return true
  }

  /** Undefined if the agent cannot, or no longer has the session. */
  async #resume(prompt: HarnessPrompt, session: string): Promise<{ readonly replay?: string } | undefined> {
    const { process } = this.#parts
    const { capabilities: can } = process
    const hasResume = (can?.sessionCapabilities?.resume ?? null) !== null
    const isLoaded = can?.loadSession === true && (prompt.isContinued || !hasResume)
    if (!isLoaded && !hasResume) return undefined
    const params = { sessionId: session, ...this.#where(prompt) }
    this.#replay = ""
    try {
      const opened = await process.request(prompt.signal, () =>
        isLoaded ? process.agent.request("session/load", params) : process.agent.request("session/resume", params),
      )
      this.#opened(session, opened)
      return isLoaded ? { replay: this.#replay } : {}
    } catch (error) {
      const isRefused = error instanceof HarnessFault && error.kind === "refused"
      if (process.isOver || prompt.signal.aborted || !isRefused) throw error
      return undefined
    } finally {
      this.#replay = undefined
    }
  }

  async #new(prompt: HarnessPrompt): Promise<string> {
    const { process } = this.#parts
    const opened = await process.request(prompt.signal, () => process.agent.request("session/new", this.#where(prompt)))
    this.#opened(opened.sessionId, opened)
    await prompt.onSession(opened.sessionId)
    return prompt.background()
  }

  #where({ onEvent }: HarnessPrompt): NewSessionRequest {
    const { process, folder, mcp } = this.#parts
    const { servers, left } = mcpServersFor(mcp, process.capabilities?.mcpCapabilities)
    if (left.length > 0)
      onEvent({
        type: "notice",
        code: "mcp.not-supported",
        text: `The agent does not support MCP servers over HTTP and was started without: ${left.join(", ")}.`,
      })
    return { cwd: folder, mcpServers: [...servers] }
  }

  #opened(session: string, response: unknown): void {
    this.#id = session
    this.#offers = offersIn(response, this.#offers)
    const { model, mode } = this.#offers
    this.#own = {
      ...(model === undefined ? {} : { model: model.current }),
      ...(mode === undefined ? {} : { mode: mode.current }),
    }
    this.#parts.onOffers(this.#offers)
  }
}

/** Whether a replayed session has this message as its newest. */
function hasHeard(replay: string, text: string): boolean {
  const plain = (words: string) => words.replace(/\s+/g, " ").trim()
  const newest =
    replay
      .split(ANSWERED)
      .filter((part) => plain(part) !== "")
      .at(-1) ?? ""
  return plain(newest).endsWith(plain(text))
}
