/** What a test can do in a scenario, and see of it. */
import type { Json, ModelRequest, Runtime, Settings } from "@parlor/core"
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
  /** Who is talked to; the first, when not said. */
  readonly agent?: string
  /** Declared triggers that name no person belong to this one. */
  readonly person?: string
  readonly branch?: string
  /** What the model says, one entry each time it is asked. For several agents, by name. */
  readonly model?: readonly Said[] | Readonly<Record<string, readonly Said[]>>
  /** What the MCP servers of the config offer, by name; no process is started. One that is not listed offers nothing. */
  readonly mcp?: Readonly<Record<string, FakeMcpServer>>
  /** When it begins, such as `2026-03-02T08:00:00Z`. */
  readonly startAt?: string
  /** Where relative paths of skills begin; the working folder, when not said. */
  readonly folder?: string
  /** How long to wait for the agent to finish, in real time. */
  readonly patienceMs?: number
  readonly settings?: Partial<Settings>
}

export type SceneSend = {
  readonly guests?: readonly string[]
  readonly mode?: SendMode
  /** Do not wait until the agent is through. */
  readonly wait?: false
}

/** What an outgoing webhook posted. */
export type Posted = {
  readonly url: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * One conversation. Every act waits until there is nothing left to do in it, or until the person is asked something: an
 * ask is where `send` and the others return, and `answer` goes on from there.
 */
export type Scene = {
  /**
   * Sends as a person at the page would. Returns when the agent is through or has asked the person something, whichever
   * is first; the turn of an open ask is still running then.
   */
  send(message: string | { readonly type: string; readonly payload: Json }, options?: SceneSend): Promise<Sent>
  /** Answers the oldest open ask. Returns when the agent is through, or at its next ask. */
  answer(answer: Json): Promise<void>
  stop(): Promise<void>
  /**
   * Lets time pass: a number of milliseconds, or `90s`, `10m`, `2h`, `1d`. Schedules, wakeups, retries and expiring asks
   * that fall due on the way happen at their times, in all conversations.
   */
  pass(span: number | string): Promise<void>
  /** Fires a schedule now, by its name or id. */
  fire(schedule: string): Promise<Sent>
  /** Delivers a request body to a webhook, by its name or id. The signature is the server's business and not checked. */
  deliver(
    webhook: string,
    body: Json,
    options?: { readonly id?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Delivered>
  /** What a schedule or webhook did, newest first, and what became of its messages. */
  firings(trigger: string): Promise<readonly FiringView[]>
  /** The agent's own wakeups that are still to come in this conversation. */
  wakeups(): Promise<readonly ScheduleView[]>
  /** A resource, or a list, of an MCP server changed: wakes whom `wakeOn` names. */
  changed(server: string, what: { readonly resource: string } | { readonly list: string }): Promise<void>
  /** What outgoing webhooks posted, first to last. */
  posts(): readonly Posted[]
  /** One line for each message: `person: hi`, `agent: hello`, `critic: hm`. */
  transcript(): Promise<readonly string[]>
  messages(): Promise<readonly MessageRow[]>
  rows(): Promise<Rows>
  slashCommands(): Promise<readonly SlashCommandRow[]>
  asks(): Promise<readonly AskRow[]>
  /** What a model was asked, first to last; of one agent, or of the one talked to. */
  requests(agent?: string): readonly ModelRequest[]
  /** Another conversation with the same store, clock and models. */
  with(place: { readonly agent?: string; readonly person?: string; readonly branch?: string }): Scene
  /** The process dies without a word and another one takes over. */
  crash(): Promise<void>
  /** Resolves when there is nothing left to do. */
  settled(): Promise<void>
  readonly clock: FakeClock
  readonly runtime: Runtime
  close(): Promise<void>
}
