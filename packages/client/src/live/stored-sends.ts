import type { SendBody } from "@parlor/protocol"

/** For example `localStorage`. */
export type OutboxStorage = {
  readonly length: number
  key(index: number): string | null
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

export type StoredSend = { readonly key: string; readonly body: SendBody; readonly at: number }

/** Undelivered messages of one conversation, one storage item each, so that two tabs never overwrite each other's. */
export class StoredSends {
  readonly #prefix: string
  readonly #storage: OutboxStorage | undefined

  constructor(scope: string, storage: OutboxStorage | undefined) {
    this.#prefix = `parlor.outbox ${scope} `
    this.#storage = storage
  }

  /** Oldest first. */
  load(): readonly StoredSend[] {
    const found: StoredSend[] = []
    for (const name of this.#names()) {
      const send = parse(this.#storage?.getItem(name) ?? null)
      if (send) found.push(send)
    }
    return found.sort((a, b) => a.at - b.at)
  }

  /** If the storage is full or forbidden, messages only fail to survive a reload. */
  save(send: StoredSend): void {
    try {
      this.#storage?.setItem(this.#prefix + send.key, JSON.stringify(send))
    } catch {}
  }

  remove(key: string): void {
    this.#storage?.removeItem(this.#prefix + key)
  }

  #names(): readonly string[] {
    const storage = this.#storage
    if (storage === undefined) return []
    const names = Array.from({ length: storage.length }, (_, index) => storage.key(index))
    return names.filter((name) => name !== null).filter((name) => name.startsWith(this.#prefix))
  }
}

function parse(text: string | null): StoredSend | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "")
    const { key, body, at } = value as StoredSend
    return typeof key === "string" && typeof body === "object" && typeof at === "number" ? { key, body, at } : undefined
  } catch {
    return undefined
  }
}
