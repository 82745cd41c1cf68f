import type { BodyInputOf, Memory, MemoryLine, MemoryScope } from "@parlor/protocol"
import type { Http } from "./http.ts"

export type MemoryQuery = {
  readonly scope?: MemoryScope
  /** Words that must all occur in the name, the description, the type or the body. */
  readonly q?: string
}

/** The memories of this person and of the project. */
export class Memories {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Without bodies, the person's own first, ordered by name. */
  async list(query: MemoryQuery = {}): Promise<readonly MemoryLine[]> {
    const { memories } = await this.#http.ask("listMemories", { query })
    return memories
  }

  async read(scope: MemoryScope, name: string): Promise<Memory> {
    const { memory } = await this.#http.ask("readMemory", { params: { scope, name } })
    return memory
  }

  /** Creates or replaces a memory. Project memories require the `manage` scope. */
  async write(scope: MemoryScope, name: string, body: BodyInputOf<"writeMemory">): Promise<Memory> {
    const { memory } = await this.#http.ask("writeMemory", { params: { scope, name }, body })
    return memory
  }

  async delete(scope: MemoryScope, name: string): Promise<void> {
    await this.#http.ask("deleteMemory", { params: { scope, name } })
  }
}
