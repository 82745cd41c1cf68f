/**
 * An agent whose turns are run by something else: a program that speaks ACP, for example (HST-1).
 *
 * The harness knows sessions, processes and protocols. It knows nothing of the log: what it reports is recorded by
 * `turn/harness-turn.ts`, durable before anyone sees it. Events arrive by callback, several per chunk.
 */
import type { Address } from "@parlor/protocol"
import type { Json } from "./json.ts"
import type { ModelAttachment } from "./model.ts"

export interface Harness {
  /** What people may choose for a conversation, as far as it is known yet (HST-12). */
  offers(): HarnessOffers
  /**
   * Runs one prompt. Resolves when the agent has finished; rejects with `HarnessFault`, or with the signal's reason when
   * it is aborted. After that, no event and no write follows.
   */
  run(prompt: HarnessPrompt): Promise<void>
  /** Ends what runs for a conversation that is deleted. */
  end(conversation: string): Promise<void>
}

export type HarnessPrompt = {
  /** Identifies the conversation for as long as it exists. */
  readonly conversation: string
  readonly address: Address
  readonly text: string
  /** What was said since the agent's last turn and is not part of its session; empty if nothing was. */
  readonly missed: string
  /** Files of the workspace that the message refers to. */
  readonly files: readonly HarnessFile[]
  readonly attachments: readonly ModelAttachment[]
  /** The session of last time; undefined if there is none, or if it no longer matches the conversation. */
  readonly session: string | undefined
  /** The agent was interrupted while it answered this prompt: it may have received it already (HST-7). */
  readonly isContinued: boolean
  /** What a new session has to know, as text: the agent's instructions and the conversation so far. May be empty. */
  readonly background: () => string
  /** Called before the prompt is sent: the session is stored when it resolves, so that it can be resumed. */
  readonly onSession: (id: string) => Promise<void>
  /** The absolute path of the working folder, and of a folder that only this conversation's agent uses. */
  readonly folder: string
  readonly home: string
  /** What the person chose for this conversation. */
  readonly settings: HarnessSettings
  /** Aborted when the turn is stopped: the agent has to end now. */
  readonly signal: AbortSignal
  /** Aborted when something is to be said first: the agent ends at the next opportunity, which is not a failure. */
  readonly yieldTo: AbortSignal
  readonly onEvent: (event: HarnessEvent) => void
  /** Asks the person. Resolves with the id of an option; undefined if nobody allows it. */
  readonly ask: (request: HarnessAsk) => Promise<string | undefined>
  readonly workspace: HarnessWorkspace
}

export type HarnessFile = { readonly path: string; readonly from?: number; readonly to?: number }
type HarnessSettings = { readonly model?: string; readonly mode?: string }

/** Files that the agent reads and writes through Parlor. Paths are relative. */
type HarnessWorkspace = {
  readText(path: string): Promise<string>
  writeText(path: string, text: string): Promise<void>
}

export type HarnessEvent =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /** A call that the agent makes itself. The first event of a call begins it; fields that are absent stay as they are. */
  | HarnessCall
  /** Replaces the plan. */
  | { readonly type: "plan"; readonly entries: readonly HarnessPlanEntry[] }
  /** All commands that the agent offers. */
  | { readonly type: "commands"; readonly commands: readonly HarnessCommand[] }
  /** Of the whole prompt, as far as the agent reports it. */
  | { readonly type: "usage"; readonly usage: HarnessUsage }
  /** The model that answers from here on. */
  | { readonly type: "model"; readonly model: string }
  /** Something the person should know. */
  | { readonly type: "notice"; readonly code: string; readonly text: string }

export type HarnessCall = {
  readonly type: "call"
  readonly call: string
  readonly state?: "waiting" | "started" | "done" | "failed"
  /** The tool's name for programs, and the call's title for people. */
  readonly name?: string
  readonly title?: string
  /** read, edit, delete, move, search, execute, think, fetch or other. */
  readonly kind?: string
  readonly input?: Json
  readonly output?: Json
  readonly locations?: readonly { readonly path: string; readonly line?: number }[]
  readonly diffs?: readonly { readonly path: string; readonly before: string | null; readonly after: string }[]
}

export type HarnessPlanEntry = { readonly text: string; readonly state: "waiting" | "started" | "done" }
export type HarnessCommand = { readonly name: string; readonly description: string; readonly hint: string | null }

export type HarnessUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  readonly cachedTokens: number
  readonly costMicros: number
}

export type HarnessAsk = {
  /** The call it is about. */
  readonly call: string
  readonly title: string
  readonly detail: string
  readonly options: readonly { readonly id: string; readonly name: string; readonly means: HarnessAnswer }[]
}
type HarnessAnswer = "allow" | "allow-always" | "deny" | "deny-always"

export type HarnessOffers = {
  readonly models: readonly HarnessChoice[]
  readonly modes: readonly HarnessChoice[]
  /** What it uses if nothing is chosen. */
  readonly model?: string | undefined
  readonly mode?: string | undefined
}
export type HarnessChoice = { readonly id: string; readonly name: string; readonly description: string }

/**
 * `ended`: the agent's process or connection ended in the middle. `start`: it does not start. `session`: the session
 * cannot be resumed. `refused`: the agent answered with an error.
 */
export type HarnessFaultKind = "ended" | "start" | "session" | "refused"

export class HarnessFault extends Error {
  readonly kind: HarnessFaultKind

  constructor(kind: HarnessFaultKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = "HarnessFault"
    this.kind = kind
  }
}
