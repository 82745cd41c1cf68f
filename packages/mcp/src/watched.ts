/**
 * The resources of a server that wake somebody, and the lists of the server.
 *
 * Since 2026-07-28, a server reports changes only on a stream that the client opens. It is opened again whenever it
 * ends. Older servers report changes of lists by themselves and are subscribed to resource by resource.
 *
 *   listening ──stream ended──▶ paused ──▶ listening, and whatever changed in between is found
 *
 * The hash of each resource's last known content is kept, so that a change made while the server was disconnected is
 * found after the reconnect.
 */
import { createHash } from "node:crypto"
import type { Client, SubscriptionFilter } from "@modelcontextprotocol/client"
import type { Clock } from "@parlor/core"

const REQUEST_MS = 30_000
const PAUSE = { firstMs: 500, mostMs: 60_000 } as const
/** Content read this shortly before the stream ended may include a change that nobody was told of. */
const UNSURE_MS = 5_000
/** A stream that stayed open this long is opened again after the first pause. */
const STEADY_MS = 30_000

export type WatchedParts = {
  readonly uris: readonly string[]
  readonly clock: Clock
  readonly changed: (uri: string) => void
  readonly failed: (uri: string, error: unknown) => void
  /** The stream was interrupted and is open again: lists may have changed in between. */
  readonly resumed: (client: Client) => void
  /** The stream could not be opened, or ended unexpectedly. */
  readonly interrupted: (client: Client, error: unknown) => void
}

export class Watched {
  readonly #parts: WatchedParts
  readonly #uris: ReadonlySet<string>
  readonly #hashes = new Map<string, string>()
  /** When the content was last read because of a notification. */
  readonly #readAt = new Map<string, number>()
  #interruptedAt = 0

  constructor(parts: WatchedParts) {
    this.#parts = parts
    this.#uris = new Set(parts.uris)
  }

  /** Follows the server's changes for as long as `isCurrent`. Resolves when they are followed for the first time. */
  async follow(client: Client, isCurrent: () => boolean): Promise<void> {
    if (client.getProtocolEra() !== "modern") return this.#subscribe(client)
    const filter = this.#filter(client)
    if (Object.keys(filter).length === 0) return
    await this.#listen(client, filter, isCurrent)
  }

  /** Some servers report a part of a resource that was subscribed to. */
  updated(client: Client, uri: string): void {
    const wanted = this.#uris.has(uri) ? uri : [...this.#uris].find((one) => uri.startsWith(`${one}/`))
    if (wanted === undefined) return
    this.#parts.changed(wanted)
    void this.#remember(client, wanted).then(() => this.#readAt.set(wanted, this.#parts.clock.now()))
  }

  async #subscribe(client: Client): Promise<void> {
    for (const uri of this.#uris) {
      try {
        await client.subscribeResource({ uri }, { timeout: REQUEST_MS })
        await this.#compare(client, uri)
      } catch (error) {
        this.#parts.failed(uri, error)
      }
    }
  }

  #filter(client: Client): SubscriptionFilter {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
    if (resources?.subscribe !== true)
      for (const uri of this.#uris) this.#parts.failed(uri, new Error("The server does not support subscriptions."))
    return {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
      ...(resources?.subscribe === true && this.#uris.size > 0 ? { resourceSubscriptions: [...this.#uris] } : {}),
    }
  }

  async #listen(client: Client, filter: SubscriptionFilter, isCurrent: () => boolean, attempt = 0): Promise<void> {
    const again = (error: unknown, next: number) => {
      if (!isCurrent()) return
      this.#interruptedAt = this.#parts.clock.now()
      this.#parts.interrupted(client, error)
      const pauseMs = Math.min(PAUSE.mostMs, PAUSE.firstMs * 2 ** next)
      this.#parts.clock.after(pauseMs, () => {
        if (isCurrent()) void this.#listen(client, filter, isCurrent, Math.min(next + 1, 16))
      })
    }
    try {
      const subscription = await client.listen(filter, { timeout: REQUEST_MS })
      const openedAt = this.#parts.clock.now()
      const pausesSoFar = () => (this.#parts.clock.now() - openedAt >= STEADY_MS ? 0 : attempt)
      void subscription.closed.then(
        (how) => how !== "local" && again(new Error("The stream of changes ended."), pausesSoFar()),
      )
      if (attempt > 0) this.#parts.resumed(client)
      const honored = new Set(subscription.honoredFilter.resourceSubscriptions ?? [])
      for (const uri of filter.resourceSubscriptions ?? [])
        if (honored.has(uri)) await this.#compare(client, uri)
        else this.#parts.failed(uri, new Error("The server did not accept the subscription."))
    } catch (error) {
      again(error, attempt)
    }
  }

  /** Compares the content with the last known one. When in doubt, it has changed: better one wake too many. */
  async #compare(client: Client, uri: string): Promise<void> {
    const before = this.#hashes.get(uri)
    const isUnsure = (this.#readAt.get(uri) ?? 0) > this.#interruptedAt - UNSURE_MS && this.#interruptedAt > 0
    const now = await this.#remember(client, uri)
    if (isUnsure) this.#readAt.delete(uri)
    if (before !== undefined && now !== undefined && (isUnsure || before !== now)) this.#parts.changed(uri)
  }

  async #remember(client: Client, uri: string): Promise<string | undefined> {
    try {
      const { contents } = await client.readResource({ uri }, { timeout: REQUEST_MS, cacheMode: "bypass" })
      const hash = createHash("sha256").update(JSON.stringify(contents)).digest("hex")
      this.#hashes.set(uri, hash)
      return hash
    } catch {
      // Some resources can be subscribed to but not read: then only the server's notifications count.
      return undefined
    }
  }
}
