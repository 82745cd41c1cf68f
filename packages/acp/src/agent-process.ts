/**
 * The process of a hosted agent and the connection to it.
 *
 *   starting ──initialize──▶ ready ──requests──▶ ready ──process ends──▶ over
 *
 * Every request has a time limit. It fails with what the agent answered, or with why there is no answer.
 */
import {
  type ClientApp,
  type ClientConnection,
  type InitializeResponse,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk"
import { type Clock, HarnessFault } from "@parlor/core"
import { endedFault, refusedFault, startFault } from "./faults.ts"
import type { AgentCommand } from "./options.ts"
import { type Started, start } from "./processes.ts"
import { openWire } from "./wire.ts"

export type ProcessParts = {
  readonly command: AgentCommand
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly version: string
  /** What the agent may request of Parlor. */
  readonly services: ClientApp
  readonly onUpdate: (params: unknown) => void
}

export class AgentProcess {
  readonly #parts: ProcessParts
  readonly #started: Started
  readonly #connection: ClientConnection
  #about: InitializeResponse | undefined

  constructor(parts: ProcessParts) {
    this.#parts = parts
    const { command, folder, env, services, onUpdate } = parts
    this.#started = start(command.command, { cwd: folder, env, stdin: "pipe" })
    const wire = openWire(this.#started.child, { onUpdate, onTooLong: () => void this.end({ now: true }) })
    this.#connection = services.connect(wire)
    void this.#started.ended.then(() => this.#connection.close())
  }

  get pid(): number | undefined {
    return this.#started.child.pid
  }

  get isOver(): boolean {
    return this.#started.hasEnded()
  }

  get ended(): Promise<unknown> {
    return this.#started.ended
  }

  get agent(): ClientConnection["agent"] {
    return this.#connection.agent
  }

  get capabilities(): InitializeResponse["agentCapabilities"] {
    return this.#about?.agentCapabilities
  }

  end(options: { readonly now?: boolean } = {}): Promise<void> {
    return this.#started.end(options)
  }

  async initialize(signal: AbortSignal): Promise<void> {
    const { files } = this.#parts.command
    this.#about = await this.request(signal, () =>
      this.agent.request("initialize", {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: "parlor", title: "Parlor", version: this.#parts.version },
        clientCapabilities: {
          fs: { readTextFile: files, writeTextFile: files },
          terminal: true,
          session: { notices: {} },
        },
      }),
    )
    if (this.#about.protocolVersion !== PROTOCOL_VERSION)
      throw new HarnessFault(
        "start",
        `The agent speaks version ${this.#about.protocolVersion} of ACP. Parlor speaks version ${PROTOCOL_VERSION}.`,
      )
  }

  async request<T>(signal: AbortSignal, ask: () => Promise<T>, ms = this.#parts.command.startMs): Promise<T> {
    signal.throwIfAborted()
    const asked = ask()
    asked.catch(() => {})
    let cancel = () => {}
    const late = new Promise<never>((_, reject) => {
      cancel = this.#parts.clock.after(ms, () => reject(startFault(this.#program, ms)))
    })
    let unlisten = () => {}
    const aborted = new Promise<never>((_, reject) => {
      const onAbort = () => reject(signal.reason)
      signal.addEventListener("abort", onAbort, { once: true })
      unlisten = () => signal.removeEventListener("abort", onAbort)
    })
    try {
      return await Promise.race([this.answerTo(asked), late, aborted])
    } finally {
      cancel()
      unlisten()
    }
  }

  /** Without a time limit. */
  async answerTo<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      // The connection closes a moment before the process is known to have ended.
      if (this.#connection.signal.aborted || this.isOver)
        throw endedFault(this.#program, await this.#started.ended, this.#started.stderrTail())
      throw refusedFault(error)
    }
  }

  get #program(): string {
    return this.#parts.command.command[0] ?? ""
  }
}
