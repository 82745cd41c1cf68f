import type { BodyInputOf, Memory, MemoryLine, MemoryScope } from "@parlor/protocol"
import type { Http } from "./http.ts"

export type MemoryQuery = {
  readonly scope?: MemoryScope
  /** Words that all have to occur in the name, the description, the type or the body. */
  readonly q?: string
}

/** What agents and this person want remembered, and what the project does. */
export class Memories {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Without bodies: the person's own first, by name. */
  async list(query: MemoryQuery = {}): Promise<readonly MemoryLine[]> {
    const { memories } = await this.#http.ask("listMemories", { query })
    return memories
  }

  async read(scope: MemoryScope, name: string): Promise<Memory> {
    const { memory } = await this.#http.ask("readMemory", { params: { scope, name } })
    return memory
  }

  /** Writes or replaces. The scope project needs the right to manage. */
  async write(scope: MemoryScope, name: string, body: BodyInputOf<"writeMemory">): Promise<Memory> {
    const { memory } = await this.#http.ask("writeMemory", { params: { scope, name }, body })
    return memory
  }

  async delete(scope: MemoryScope, name: string): Promise<void> {
    await this.#http.ask("deleteMemory", { params: { scope, name } })
  }
}
