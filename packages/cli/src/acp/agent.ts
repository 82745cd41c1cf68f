/** The methods of an ACP agent. A session is a branch of one agent's conversations, and its id is the branch's name. */
import { randomBytes } from "node:crypto"
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  PROTOCOL_VERSION,
  type SessionInfo,
  type SetSessionConfigOptionRequest,
} from "@agentclientprotocol/sdk"
import { ACP_MODEL_OPTION, acpConfigOptions } from "@parlor/adapters"
import { type Parlor, ParlorError } from "@parlor/client"
import { branchName, type ModelSettings, type ModelView, type Snapshot } from "@parlor/protocol"
import { firstAgent } from "../settings.ts"
import { rpcError, unknownOption, unknownSession } from "./errors.ts"
import { AcpSession } from "./session.ts"

export type AcpAgentOptions = {
  /** Throws if there is no token; called with the first request that needs the server. */
  readonly connect: () => Parlor
  /** Default: the first agent of the server. */
  readonly agent?: string
  readonly version: string
  readonly note: (problem: unknown) => void
}

const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  sessionCapabilities: { list: {}, resume: {}, close: {} },
}

export function acpAgent(options: AcpAgentOptions): { readonly app: AgentApp; readonly leave: () => void } {
  const sessions = new Sessions(options)
  const app = agent({ name: "parlor" })
    .onRequest("initialize", ({ params }) => {
      sessions.capabilities = params.clientCapabilities ?? {}
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentCapabilities: CAPABILITIES,
        agentInfo: { name: "parlor", title: "Parlor", version: options.version },
        authMethods: [],
      }
    })
    .onRequest("session/new", ({ client }) => answered(() => sessions.create(client)))
    .onRequest("session/load", ({ params, client }) => answered(() => sessions.load(params.sessionId, client)))
    .onRequest("session/resume", ({ params, client }) => answered(() => sessions.resume(params.sessionId, client)))
    .onRequest("session/list", ({ params }) => answered(() => sessions.list(params)))
    .onRequest("session/close", ({ params }) => answered(() => sessions.close(params.sessionId)))
    .onRequest("session/set_config_option", ({ params }) => answered(() => sessions.configure(params)))
    .onRequest("session/prompt", ({ params, client, signal }) =>
      answered(async () => {
        const session = await sessions.get(params.sessionId, client)
        return { stopReason: await session.prompt(params.prompt, signal) }
      }),
    )
    .onNotification("session/cancel", async ({ params }) => {
      await sessions.find(params.sessionId)?.cancel().catch(options.note)
    })
  return { app, leave: () => sessions.leave() }
}

class Sessions {
  capabilities: ClientCapabilities = {}
  readonly #options: AcpAgentOptions
  readonly #open = new Map<string, AcpSession>()
  #parlor: Parlor | undefined
  #agent: string | undefined
  #models: readonly ModelView[] = []

  constructor(options: AcpAgentOptions) {
    this.#options = options
  }

  async create(client: AgentContext) {
    const id = `acp-${randomBytes(6).toString("hex")}`
    const conversation = this.#server.conversation(await this.#named(), id)
    await conversation.make()
    const snapshot = await conversation.open({ messages: 1 })
    const config = await this.#config(snapshot.status.settings)
    this.#start(id, client, snapshot, { whole: true })
    return { sessionId: id, ...config }
  }

  async load(id: string, client: AgentContext) {
    const snapshot = await this.#snapshot(id)
    const config = await this.#config(snapshot.status.settings)
    this.#open.get(id)?.leave()
    const session = this.#session(id, client, snapshot.agent)
    await session.replay(snapshot)
    this.#later(() => session.follow(snapshot, { whole: true }))
    return config
  }

  async resume(id: string, client: AgentContext) {
    const snapshot = await this.#snapshot(id)
    const config = await this.#config(snapshot.status.settings)
    this.#open.get(id)?.leave()
    this.#start(id, client, snapshot, { whole: false })
    return config
  }

  /** The only option is the model; the conversation's other settings stay. */
  async configure({ sessionId, configId, value }: SetSessionConfigOptionRequest) {
    const { status } = await this.#snapshot(sessionId)
    if (configId !== ACP_MODEL_OPTION || typeof value !== "string") throw unknownOption(configId)
    const conversation = this.#server.conversation(await this.#named(), sessionId)
    const { settings } = await conversation.setModel({ ...status.settings, model: value })
    const { configOptions = [] } = await this.#config(settings)
    return { configOptions }
  }

  async list({ cursor, cwd }: { readonly cursor?: string | null; readonly cwd?: string | null }) {
    const page = await this.#server.conversations({
      agent: await this.#named(),
      ...(cursor === null || cursor === undefined ? {} : { cursor }),
    })
    const sessions = page.conversations.map(
      ({ branch, title, preview, activityAt }): SessionInfo => ({
        sessionId: branch,
        // Conversations belong to no folder of this machine: each is offered in every folder.
        cwd: cwd ?? process.cwd(),
        title: title || preview || null,
        updatedAt: new Date(activityAt).toISOString(),
      }),
    )
    return { sessions, nextCursor: page.cursor }
  }

  async close(id: string) {
    const session = this.#open.get(id)
    if (session === undefined) throw unknownSession(id)
    this.#open.delete(id)
    await session.close()
    return {}
  }

  find(id: string): AcpSession | undefined {
    return this.#open.get(id)
  }

  /** A session that this process does not know yet is resumed. */
  async get(id: string, client: AgentContext): Promise<AcpSession> {
    const known = this.#open.get(id)
    if (known !== undefined) return known
    await this.resume(id, client)
    const resumed = this.#open.get(id)
    if (resumed === undefined) throw unknownSession(id)
    return resumed
  }

  leave(): void {
    for (const session of this.#open.values()) session.leave()
  }

  get #server(): Parlor {
    this.#parlor ??= this.#options.connect()
    return this.#parlor
  }

  async #named(): Promise<string> {
    this.#agent ??= this.#options.agent ?? (await firstAgent(this.#server))
    return this.#agent
  }

  async #config(settings: ModelSettings | null) {
    this.#models = await this.#server.models(await this.#named())
    const configOptions = acpConfigOptions(this.#models, settings)
    return configOptions.length === 0 ? {} : { configOptions }
  }

  async #snapshot(id: string): Promise<Snapshot> {
    if (!branchName.safeParse(id).success) throw unknownSession(id)
    try {
      return await this.#server.conversation(await this.#named(), id).open()
    } catch (error) {
      if (error instanceof ParlorError && error.code === "conversation.unknown") throw unknownSession(id)
      throw error
    }
  }

  #start(id: string, client: AgentContext, snapshot: Snapshot, how: { readonly whole: boolean }): void {
    const session = this.#session(id, client, snapshot.agent)
    this.#later(() => session.follow(snapshot, how))
  }

  #session(id: string, client: AgentContext, agent: string): AcpSession {
    const { session: shows, elicitation } = this.capabilities
    const session = new AcpSession({
      id,
      parlor: this.#server,
      conversation: this.#server.conversation(agent, id),
      client,
      hasNotices: isSet(shows?.notices),
      hasForms: isSet(elicitation?.form),
      models: this.#models,
      note: this.#options.note,
    })
    this.#open.set(id, session)
    return session
  }

  /** Updates follow the response that tells the client about the session. */
  #later(run: () => void): void {
    setImmediate(run)
  }
}

function isSet(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw rpcError(error)
  }
}
