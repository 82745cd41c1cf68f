/**
 * One server, for all agents that use it.
 *
 *   connecting ──connected, catalogue read──▶ ready ──gone──▶ waiting ──after a while──▶ connecting
 *       └──────────────failed────────────────────────────────▲
 *
 * Nobody waits for it: what is asked of a server that is not ready fails at once and says why. What a server had when it
 * went away is still offered, so that an agent learns that it is gone rather than that it never was.
 */
import type { Client, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client"
import type { Clock, Log, Random } from "@parlor/core"
import type { McpServerView } from "@parlor/protocol"
import { type Catalogue, EMPTY, readCatalogue } from "./catalogue.ts"
import { reasonOf } from "./reason.ts"
import { type ListName, type ServerConfig, secretsOf } from "./server-config.ts"
import type { Opened } from "./transport.ts"
import { Watched } from "./watched.ts"

const CONNECT_MS = 30_000
/** How long a server may take to answer which protocol versions it speaks. An old one over stdio may never answer. */
const PROBE_MS = 5_000
const PING_MS = 5_000
const LEAVE_MS = 1_000
/** Several changes of a list in a row are looked at once. */
const SETTLE_MS = 100
const RETRY = { firstMs: 1_000, mostMs: 60_000 } as const
/** One that stayed this long is tried again without delay when it goes. */
const STEADY_MS = 30_000
const MAX_ERROR = 500
/** Over the tool's own limit, which is to be the one that is met. */
const GRACE_MS = 5_000

export type ConnectionParts = {
  readonly name: string
  readonly config: ServerConfig
  readonly version: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Its tools were read, for the first time or anew. */
  readonly onCatalogue: (catalogue: Catalogue) => Promise<void>
  readonly onResource: (uri: string) => void
  readonly onList: (list: ListName) => void
}

export class Connection {
  readonly name: string
  readonly config: ServerConfig
  catalogue: Catalogue = EMPTY
  readonly #parts: ConnectionParts
  #state: McpServerView["state"] = "connecting"
  #since: number
  #lastError: string | null = null
  #retryAt: number | null = null
  #attempt = 0
  /** Nothing was connected before its code is there. */
  #isClosedConnection: (error: unknown) => boolean = () => false
  #client: Client | undefined
  #opened: Opened | undefined
  #isChecking = false
  #isClosed = false
  #cancelRetry = () => {}
  #cancelLook = () => {}
  readonly #watched: Watched

  constructor(parts: ConnectionParts) {
    this.name = parts.name
    this.config = parts.config
    this.#parts = parts
    this.#since = parts.clock.now()
    this.#watched = new Watched({
      uris: (parts.config.wakeOn ?? []).flatMap((on) => ("resource" in on ? [on.resource] : [])),
      clock: parts.clock,
      changed: parts.onResource,
      resumed: (client) => void this.#lookAgain(client),
      interrupted: (client) => this.#suspect(client),
      failed: (uri, error) => this.#note(`The resource ${uri} cannot be subscribed to: ${reasonOf(error)}`),
    })
  }

  get view(): Pick<McpServerView, "state" | "since" | "lastError" | "retryAt"> {
    return { state: this.#state, since: this.#since, lastError: this.#lastError, retryAt: this.#retryAt }
  }

  /** Begins to connect. Never rejects, and nobody has to wait for it. */
  start(): void {
    void this.#connect()
  }

  /** The client of a server that is there, or an error that says why it is not. */
  #ready(): Client {
    if (this.#state === "ready" && this.#client !== undefined) return this.#client
    const why = this.#lastError ?? "It has not been reached yet."
    throw new Error(`The MCP server ${this.name} cannot be used now, and is tried again by itself. ${why}`)
  }

  async ask<T>(
    work: (client: Client, options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<T>,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<T> {
    const client = this.#ready()
    options.signal.throwIfAborted()
    try {
      return await work(client, { signal: options.signal, timeout: options.timeoutMs + GRACE_MS })
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason
      if (this.#isClosedConnection(error))
        throw new Error(
          `The MCP server ${this.name} went away during the call. Whether it was carried out is not known: check before repeating it.`,
        )
      throw new Error(this.#clean(`The MCP server ${this.name}: ${reasonOf(error)}`))
    }
  }

  /** When there is no time to ask: the process is going down. */
  kill(): void {
    this.#opened?.kill()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRetry()
    this.#cancelLook()
    if (this.#state === "ready") await this.#leave()
    await this.#client?.close().catch(() => {})
  }

  /** A server that does not answer is not waited for long. */
  async #leave(): Promise<void> {
    let cancel = () => {}
    const enough = new Promise<void>((resolve) => {
      cancel = this.#parts.clock.after(LEAVE_MS, resolve)
    })
    await Promise.race([this.#opened?.leave().catch(() => {}), enough])
    cancel()
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return
    this.#become("connecting")
    const sdk = await import("./sdk.ts")
    if (this.#isClosed) return
    this.#isClosedConnection = (error) =>
      error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.ConnectionClosed
    const client = new sdk.Client(
      { name: "parlor", version: this.#parts.version },
      { jsonSchemaValidator: believing, versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } } },
    )
    this.#client = client
    try {
      const opened = sdk.openTransport(this.config)
      this.#opened = opened
      client.onclose = () => {
        // While connecting, the error that follows says more.
        if (this.#state === "ready") this.#lost(client, this.#lastWordsOr(opened, "The connection ended."))
      }
      client.onerror = () => this.#suspect(client)
      this.#listen(client)
      await client.connect(opened.transport, { timeout: CONNECT_MS })
      await this.#look(client)
      if (this.#isClosed || client !== this.#client) return void (await client.close())
      this.#become("ready")
      this.#parts.log.info("mcp server ready", { server: this.name, tools: this.catalogue.tools.length })
      await this.#watched.follow(client, () => client === this.#client && this.#state === "ready" && !this.#isClosed)
    } catch (error) {
      const why = this.#lastWordsOr(this.#opened, reasonOf(error))
      this.#lost(client, why)
      await client.close().catch(() => {})
    }
  }

  #listen(client: Client): void {
    const changed = (list: ListName) => () => {
      this.#parts.onList(list)
      if (list === "resources") return
      this.#cancelLook()
      this.#cancelLook = this.#parts.clock.after(SETTLE_MS, () => void this.#lookAgain(client))
    }
    client.setNotificationHandler("notifications/tools/list_changed", changed("tools"))
    client.setNotificationHandler("notifications/prompts/list_changed", changed("prompts"))
    client.setNotificationHandler("notifications/resources/list_changed", changed("resources"))
    client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
      this.#watched.updated(client, params.uri),
    )
  }

  async #look(client: Client): Promise<void> {
    const catalogue = await readCatalogue(client)
    if (client !== this.#client) return
    await this.#parts.onCatalogue(catalogue)
    this.catalogue = catalogue
  }

  async #lookAgain(client: Client): Promise<void> {
    if (client !== this.#client || this.#isClosed) return
    await this.#look(client).catch((error) => this.#note(`Its tools could not be read anew: ${reasonOf(error)}`))
  }

  /** Over HTTP nothing says that a server is gone but that it does not answer. */
  #suspect(client: Client): void {
    if ("command" in this.config || this.#isChecking || client !== this.#client || this.#state !== "ready") return
    this.#isChecking = true
    const isModern = client.getProtocolEra() === "modern"
    const answered: Promise<unknown> = isModern
      ? client.discover({ timeout: PING_MS })
      : client.ping({ timeout: PING_MS })
    answered
      .catch(async (error) => {
        this.#lost(client, `It does not answer: ${reasonOf(error)}`)
        await client.close().catch(() => {})
      })
      .finally(() => {
        this.#isChecking = false
      })
  }

  /** Says so once for each client; the rest of what it reports is of no interest. */
  #lost(client: Client, why: string): void {
    if (client !== this.#client || this.#state === "waiting" || this.#isClosed) return
    const { clock, random, log } = this.#parts
    if (this.#state === "ready" && clock.now() - this.#since >= STEADY_MS) this.#attempt = 0
    this.#note(why)
    const delayMs = Math.min(RETRY.mostMs, RETRY.firstMs * 2 ** this.#attempt) * (0.5 + random.next() / 2)
    this.#attempt = Math.min(this.#attempt + 1, 16)
    this.#become("waiting")
    this.#retryAt = clock.now() + Math.round(delayMs)
    this.#cancelRetry = clock.after(Math.round(delayMs), () => void this.#connect())
    log.warn("mcp server not reachable", { server: this.name, reason: this.#lastError ?? "", again: this.#retryAt })
  }

  #become(state: McpServerView["state"]): void {
    this.#state = state
    this.#since = this.#parts.clock.now()
    this.#retryAt = null
  }

  #note(why: string): void {
    this.#lastError = this.#clean(why)
  }

  #lastWordsOr(opened: Opened | undefined, why: string): string {
    const words = opened?.lastWords().split("\n").at(-1) ?? ""
    return words === "" ? why : `${why} Its last words: ${words}`
  }

  #clean(text: string): string {
    let clean = text.toWellFormed().replaceAll("\u0000", "")
    for (const secret of secretsOf(this.config)) clean = clean.replaceAll(secret, "…")
    return clean.slice(0, MAX_ERROR)
  }
}

/** What a server says of its output is not worth running code for that is made of it: the model takes what comes. */
const believing: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}
