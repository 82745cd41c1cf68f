/** The interface of a scenario for tests. */
import type { Files, Json, ModelRequest, Runtime, Sandbox, Settings } from "@parlor/core"
import type { FakeClock } from "@parlor/core/testing"
import type {
  AskRow,
  Delivered,
  FiringView,
  MessageRow,
  Rows,
  ScheduleView,
  SendMode,
  Sent,
  SlashCommandRow,
} from "@parlor/protocol"
import type { FakeMcpServer } from "./fake-mcp.ts"
import type { Said } from "./said.ts"

export type ScenarioOptions = {
  /** The agent of the conversation; the first one by default. */
  readonly agent?: string
  /** Owner of declared triggers that name no person. */
  readonly person?: string
  readonly branch?: string
  /** The model's replies, one entry per call. For several agents, by name. */
  readonly model?: readonly Said[] | Readonly<Record<string, readonly Said[]>>
  /** What the MCP servers of the config offer, by name. No process is started; a server not listed offers nothing. */
  readonly mcp?: Readonly<Record<string, FakeMcpServer>>
  /** The start time, such as `2026-03-02T08:00:00Z`. */
  readonly startAt?: string
  /** The base of relative skill paths; the working folder by default. */
  readonly folder?: string
  /** How long to wait for the agent to finish, in real time. */
  readonly patienceMs?: number
  readonly settings?: Partial<Settings>
  /** Working copies on disk and the sandbox for commands; without them, files are in memory and no command runs. */
  readonly files?: Files
  readonly sandbox?: Sandbox
}

export type SceneSend = {
  readonly guests?: readonly string[]
  readonly mode?: SendMode
  /** Set to false to return without waiting until the agent is done. */
  readonly wait?: false
}

/** A request of an outgoing webhook. */
export type Posted = {
  readonly url: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * One conversation. Every action waits until the conversation is idle or the agent asks the person something; `answer`
 * continues from there.
 */
export type Scene = {
  /**
   * Sends as the page does. Resolves when the agent is done or has asked the person something, whichever is first; in the
   * second case the turn is still running.
   */
  send(message: string | { readonly type: string; readonly payload: Json }, options?: SceneSend): Promise<Sent>
  /** Answers the oldest open ask. Resolves when the agent is done, or at its next ask. */
  answer(answer: Json): Promise<void>
  stop(): Promise<void>
  /**
   * Advances the clock by a number of milliseconds, or `90s`, `10m`, `2h`, `1d`. Schedules, wakeups, retries and expiring
   * asks that become due happen at their times, in all conversations.
   */
  pass(span: number | string): Promise<void>
  /** Fires a schedule now, by its name or id. */
  fire(schedule: string): Promise<Sent>
  /** Delivers a request body to a webhook, by its name or id. The signature is not checked. */
  deliver(
    webhook: string,
    body: Json,
    options?: { readonly id?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Delivered>
  /** The runs of a schedule or webhook, newest first, with the outcome of their messages. */
  firings(trigger: string): Promise<readonly FiringView[]>
  /** The agent's pending wakeups in this conversation. */
  wakeups(): Promise<readonly ScheduleView[]>
  /** Simulates a change of a resource or list of an MCP server: wakes the agents that `wakeOn` names. */
  changed(server: string, what: { readonly resource: string } | { readonly list: string }): Promise<void>
  /** Requests of outgoing webhooks, oldest first. */
  posts(): readonly Posted[]
  /** One line per message: `person: hi`, `agent: hello`, `critic: hm`. */
  transcript(): Promise<readonly string[]>
  messages(): Promise<readonly MessageRow[]>
  rows(): Promise<Rows>
  slashCommands(): Promise<readonly SlashCommandRow[]>
  asks(): Promise<readonly AskRow[]>
  /** The model requests, oldest first, of the given agent or of the conversation's agent. */
  requests(agent?: string): readonly ModelRequest[]
  /** Another conversation with the same store, clock and models. */
  with(place: { readonly agent?: string; readonly person?: string; readonly branch?: string }): Scene
  /** Simulates a crash: the process dies without cleanup and another one takes over. */
  crash(): Promise<void>
  /** Resolves when nothing is left to do. */
  settled(): Promise<void>
  readonly clock: FakeClock
  readonly runtime: Runtime
  close(): Promise<void>
}
