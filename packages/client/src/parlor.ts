import {
  type AccountView,
  type AgentView,
  type AnswerOf,
  type BodyInputOf,
  type ConfigView,
  type ConversationPage,
  type KeyView,
  MAIN_BRANCH,
  type McpServerView,
  type ModelView,
  type PreferencesView,
  type UsageView,
} from "@parlor/protocol"
import { Attachments } from "./attachments.ts"
import { Conversation } from "./conversation.ts"
import { Feed } from "./feed.ts"
import { Grants } from "./grants.ts"
import { Hooks } from "./hooks.ts"
import { type Http, makeHttp, type ParlorOptions, withKey } from "./http.ts"
import { Links } from "./links.ts"
import { Memories } from "./memory.ts"
import { Notices } from "./notices.ts"
import { Providers } from "./providers.ts"
import { Pushes } from "./pushes.ts"
import { repeat } from "./repeat.ts"
import { Schedules } from "./schedules.ts"
import { Shares } from "./shares.ts"

export type ConversationsQuery = {
  readonly agent?: string
  readonly archived?: boolean
  readonly ephemeral?: boolean
  readonly cursor?: string
  readonly limit?: number
}

/** `person`: another person, which requires the `manage` scope. `days`: how many days, ending today; 1 by default. */
export type UsageQuery = { readonly person?: string; readonly days?: number }

/** A Parlor server, seen by one person. */
export class Parlor {
  readonly attachments: Attachments
  readonly keys: Keys
  readonly grants: Grants
  readonly links: Links
  readonly memory: Memories
  readonly schedules: Schedules
  readonly hooks: Hooks
  readonly shares: Shares
  readonly notices: Notices
  readonly providers: Providers
  readonly pushes: Pushes
  readonly #http: Http

  constructor(options: ParlorOptions) {
    this.#http = makeHttp(options)
    this.attachments = new Attachments(this.#http)
    this.keys = new Keys(this.#http)
    this.grants = new Grants(this.#http)
    this.links = new Links(this.#http)
    this.memory = new Memories(this.#http)
    this.schedules = new Schedules(this.#http)
    this.hooks = new Hooks(this.#http)
    this.shares = new Shares(this.#http)
    this.notices = new Notices(this.#http)
    this.providers = new Providers(this.#http)
    this.pushes = new Pushes(this.#http)
  }

  async agents(): Promise<readonly AgentView[]> {
    const { agents } = await this.#http.ask("listAgents")
    return agents
  }

  /** How the server's config was loaded, with its mistakes; without the `manage` scope it is empty. */
  config(): Promise<ConfigView> {
    return this.#http.ask("readConfig")
  }

  /** The models that an agent offers, its default first (MOD-5). */
  async models(agent: string): Promise<readonly ModelView[]> {
    return (await this.offers(agent)).models
  }

  /** The same, with the modes of a hosted agent (HST-12). */
  offers(agent: string): Promise<AnswerOf<"listModels">> {
    return this.#http.ask("listModels", { params: { agent } })
  }

  conversations(query: ConversationsQuery = {}): Promise<ConversationPage> {
    return this.#http.ask("listConversations", { query })
  }

  conversation(agent: string, branch: string = MAIN_BRANCH): Conversation {
    return new Conversation(this.#http, agent, branch)
  }

  /** Searches all conversations and memories of this person, best match first. */
  async search(q: string, query: { readonly agent?: string; readonly limit?: number } = {}) {
    const { hits } = await this.#http.ask("search", { query: { ...query, q } })
    return hits
  }

  /** Trusts a tool's definition for everyone. Requires the `manage` scope. */
  async pinMcpTool(server: string, tool: string, hash: string): Promise<void> {
    await this.#http.ask("pinMcpTool", { params: { server, tool }, body: { hash } })
  }

  /** The MCP servers that agents use, with their status. */
  async mcpServers(): Promise<readonly McpServerView[]> {
    const { servers } = await this.#http.ask("listMcpServers")
    return servers
  }

  /** Who this client acts as, and what its credential allows. */
  account(): Promise<AccountView> {
    return this.#http.ask("readAccount")
  }

  /** What this person has set for themselves, on every device. */
  preferences(): Promise<PreferencesView> {
    return this.#http.ask("readPreferences")
  }

  /** Replaces them. Rejected with `preferences.changed` unless `version` is the newest. */
  setPreferences(body: PreferencesView): Promise<PreferencesView> {
    return this.#http.ask("writePreferences", { body })
  }

  /** Usage and limits of this person; of another person with the `manage` scope. */
  usage(query: UsageQuery = {}): Promise<UsageView> {
    return this.#http.ask("readUsage", { query })
  }

  /** Usage of everyone, summed by person, agent or model. For the owner of the server. */
  usageTotals(query: { readonly by?: string; readonly days?: number } = {}): Promise<AnswerOf<"readUsageTotals">> {
    return this.#http.ask("readUsageTotals", { query })
  }

  /** A page of the people who have data, by name. For the owner of the server. */
  people(query: { readonly after?: string } = {}): Promise<AnswerOf<"listPeople">> {
    return this.#http.ask("listPeople", { query })
  }

  /** Everything stored for a person, as a ZIP archive that is made while it is read. */
  async exportPerson(person: string, options: { readonly signal?: AbortSignal } = {}): Promise<ReadableStream> {
    const { body } = await this.#http.open("exportPerson", { params: { person }, ...options })
    return body ?? new ReadableStream()
  }

  /** Deletes a person with all of their data. To delete yourself, pass your own name as `confirm`. */
  async deletePerson(person: string, options: { readonly confirm?: string } = {}): Promise<void> {
    await this.#http.ask("deletePerson", { params: { person }, query: options })
  }

  feed(): Feed {
    return new Feed(this.#http)
  }

  /** Imports an export, or plain lines of role and text, into an empty conversation. */
  async importLines(
    agent: string,
    branch: string,
    body: string | ReadableStream<Uint8Array>,
  ): Promise<AnswerOf<"importConversation">> {
    const raw = { type: "application/jsonl", body }
    const request = withKey({ query: { agent, branch }, raw })
    const attempts = typeof body === "string" ? undefined : 1
    return repeat(this.#http.timing, { repeating: "on-fault", attempts }, async () => {
      const response = await this.#http.open("importConversation", request)
      return (await response.json()) as AnswerOf<"importConversation">
    })
  }
}

export class Keys {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  async list(): Promise<readonly KeyView[]> {
    const { keys } = await this.#http.ask("listKeys")
    return keys
  }

  /** The response contains the secret. It is not shown again. */
  make(body: BodyInputOf<"makeKey">): Promise<AnswerOf<"makeKey">> {
    return this.#http.ask("makeKey", { body, repeating: "if-undone" })
  }

  async revoke(key: string): Promise<void> {
    await this.#http.ask("revokeKey", { params: { key } })
  }
}
