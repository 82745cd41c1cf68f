/**
 * The connection to one server, shared by all agents that use it.
 *
 *   connecting ──connected, catalogue read──▶ ready ──lost──▶ waiting ──backoff──▶ connecting
 *       └──────────────failed────────────────────────────────▲
 *
 * Nothing waits for a server: a call to one that is not ready fails immediately and says why. The tools of a lost server
 * are still offered, so that an agent learns that it is unavailable instead of acceptsAnything that it never existed.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import type { Client, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client"
import type { Clock, Log, Random, ToolContext } from "@parlor/core"
import type { McpServerView } from "@parlor/protocol"
import { type Catalogue, EMPTY, readCatalogue } from "./catalogue.ts"
import { type Elicited, elicitedBy, questionOf } from "./elicitation.ts"
import { reasonOf } from "./reason.ts"
import { type ListName, type ServerConfig, secretsOf } from "./server-config.ts"
import type { Opened } from "./transport.ts"
import { Watched } from "./watched.ts"

const CONNECT_MS = 30_000
/** How long a server may take to say which protocol versions it speaks. Old servers over stdio may never respond. */
const PROBE_MS = 5_000
const PING_MS = 5_000
const LEAVE_MS = 1_000
/** Debounces several list changes in a row. */
const SETTLE_MS = 100
const RETRY = { firstMs: 1_000, mostMs: 60_000 } as const
/** After a connection that lasted this long, the backoff starts over. */
const STEADY_MS = 30_000
const MAX_ERROR = 500
/** Added to the time limit of the tool, so that the tool's own limit is the one that applies. */
const GRACE_MS = 5_000
/** For calls in which a person may be asked: the tool's own limit, which pauses meanwhile, ends them. */
const MAX_TIMER_MS = 2_147_483_647

/** A call whose server may ask the person. */
type RunningCall = { readonly ask: ToolContext["ask"]; last: Promise<unknown> }

export type ConnectionParts = {
  readonly name: string
  readonly config: ServerConfig
  readonly version: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Called whenever its tools were read. */
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
  /** Replaced once the SDK is loaded. */
  #isClosedConnection: (error: unknown) => boolean = () => false
  #client: Client | undefined
  #opened: Opened | undefined
  #isChecking = false
  #isClosed = false
  #cancelRetry = () => {}
  #cancelLook = () => {}
  readonly #watched: Watched
  readonly #running = new Set<RunningCall>()
  readonly #current = new AsyncLocalStorage<RunningCall>()

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
      failed: (uri, error) => this.#note(`Cannot subscribe to the resource ${uri}: ${reasonOf(error)}`),
    })
  }

  get view(): Pick<McpServerView, "state" | "since" | "lastError" | "retryAt"> {
    return { state: this.#state, since: this.#since, lastError: this.#lastError, retryAt: this.#retryAt }
  }

  /** Starts connecting, in the background. */
  start(): void {
    void this.#connect()
  }

  /** The client if the server is ready; otherwise throws an error that says why it is not. */
  #ready(): Client {
    if (this.#state === "ready" && this.#client !== undefined) return this.#client
    const why = this.#lastError ?? "It has not been connected yet."
    throw new Error(`The MCP server ${this.name} is unavailable. Parlor keeps trying to reconnect. ${why}`)
  }

  async ask<T>(
    work: (client: Client, options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<T>,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly ask?: ToolContext["ask"] },
  ): Promise<T> {
    const client = this.#ready()
    const { signal, timeoutMs, ask } = options
    signal.throwIfAborted()
    const call = ask && { ask, last: Promise.resolve() }
    try {
      if (call === undefined) return await work(client, { signal, timeout: timeoutMs + GRACE_MS })
      this.#running.add(call)
      return await this.#current.run(call, () => work(client, { signal, timeout: MAX_TIMER_MS }))
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason
      if (this.#isClosedConnection(error))
        throw new Error(
          `The MCP server ${this.name} disconnected during the call. The call may have succeeded: check before repeating it.`,
        )
      throw new Error(this.#clean(`The MCP server ${this.name}: ${reasonOf(error)}`))
    } finally {
      if (call !== undefined) this.#running.delete(call)
    }
  }

  /**
   * What the server asks belongs to the call that it is an answer to. Older servers do not say which one that is: then
   * it must be the only one, because nobody may be asked about somebody else's call.
   */
  async #elicit(params: unknown): Promise<Elicited> {
    const known = this.#current.getStore()
    const [only] = this.#running.size === 1 ? this.#running : []
    const call = known !== undefined && this.#running.has(known) ? known : only
    const question = questionOf(this.name, params)
    if (call === undefined || question === undefined) return { action: "cancel" }
    const asked = call.last.then(() => call.ask(question))
    call.last = asked.catch(() => {})
    return elicitedBy(question, await asked)
  }

  /** For when this process exits and cannot wait. */
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

  /** Waits only briefly for a server that does not respond. */
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
      {
        capabilities: { elicitation: { form: {} } },
        jsonSchemaValidator: acceptsAnything,
        versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
      },
    )
    this.#client = client
    try {
      const opened = sdk.openTransport(this.config)
      this.#opened = opened
      client.onclose = () => {
        // While connecting, the error that follows says more.
        if (this.#state === "ready") this.#lost(client, this.#withStderr(opened, "The connection ended."))
      }
      client.onerror = () => this.#suspect(client)
      this.#listen(client)
      await client.connect(opened.transport, { timeout: CONNECT_MS })
      await this.#look(client)
      if (this.#isClosed || client !== this.#client) return void (await client.close())
      this.#become("ready")
      this.#parts.log.info("mcp server ready", { server: this.name, tools: this.catalogue.tools.length })
      await this.#watched.follow(client, () => client === this.#client && this.#state === "ready" && !this.#isClosed)
      this.#parts.log.info("mcp changes followed", { server: this.name })
    } catch (error) {
      const why = this.#withStderr(this.#opened, reasonOf(error))
      this.#lost(client, why)
      await client.close().catch(() => {})
    }
  }

  #listen(client: Client): void {
    client.setRequestHandler("elicitation/create", async ({ params }) => ({ ...(await this.#elicit(params)) }))
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
    await this.#look(client).catch((error) => this.#note(`Its tools could not be read again: ${reasonOf(error)}`))
  }

  /** Over HTTP, a server that does not respond is the only sign that it is down. */
  #suspect(client: Client): void {
    if ("command" in this.config || this.#isChecking || client !== this.#client || this.#state !== "ready") return
    this.#isChecking = true
    const isModern = client.getProtocolEra() === "modern"
    const answered: Promise<unknown> = isModern
      ? client.discover({ timeout: PING_MS })
      : client.ping({ timeout: PING_MS })
    answered
      .catch(async (error) => {
        this.#lost(client, `It does not respond: ${reasonOf(error)}`)
        await client.close().catch(() => {})
      })
      .finally(() => {
        this.#isChecking = false
      })
  }

  /** Only the first report of each client counts. */
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

  #withStderr(opened: Opened | undefined, why: string): string {
    const words = opened?.stderrTail().split("\n").at(-1) ?? ""
    return words === "" ? why : `${why} Last line of its stderr: ${words}`
  }

  #clean(text: string): string {
    let clean = text.toWellFormed().replaceAll("\u0000", "")
    for (const secret of secretsOf(this.config)) clean = clean.replaceAll(secret, "…")
    return clean.slice(0, MAX_ERROR)
  }
}

/** Accepts any output: compiling a stranger's schema would run generated code and tell the model nothing. */
const acceptsAnything: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}
