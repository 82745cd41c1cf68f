/**
 * The resources of a server that somebody wants to be told of.
 *
 * What they said when they were last looked at is remembered by its hash: a change that happened while the server was
 * away is found when it is back.
 */
import { createHash } from "node:crypto"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"

const REQUEST_MS = 30_000

export type WatchedParts = {
  readonly uris: readonly string[]
  readonly changed: (uri: string) => void
  readonly failed: (uri: string, error: unknown) => void
}

export class Watched {
  readonly #parts: WatchedParts
  readonly #uris: ReadonlySet<string>
  readonly #hashes = new Map<string, string>()

  constructor(parts: WatchedParts) {
    this.#parts = parts
    this.#uris = new Set(parts.uris)
  }

  async subscribe(client: Client): Promise<void> {
    for (const uri of this.#uris) {
      try {
        await client.subscribeResource({ uri }, { timeout: REQUEST_MS })
        const before = this.#hashes.get(uri)
        const now = await this.#remember(client, uri)
        if (before !== undefined && now !== undefined && before !== now) this.#parts.changed(uri)
      } catch (error) {
        this.#parts.failed(uri, error)
      }
    }
  }

  /** Servers may name a part of what was subscribed to. */
  updated(client: Client, uri: string): void {
    const wanted = this.#uris.has(uri) ? uri : [...this.#uris].find((one) => uri.startsWith(`${one}/`))
    if (wanted === undefined) return
    this.#parts.changed(wanted)
    void this.#remember(client, wanted)
  }

  async #remember(client: Client, uri: string): Promise<string | undefined> {
    try {
      const { contents } = await client.readResource({ uri }, { timeout: REQUEST_MS })
      const hash = createHash("sha256").update(JSON.stringify(contents)).digest("hex")
      this.#hashes.set(uri, hash)
      return hash
    } catch {
      // It can be subscribed to and not read: then only what it says itself counts.
      return undefined
    }
  }
}
