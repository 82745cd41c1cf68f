/** Working copies in memory, for tests: with a hook before each operation, to fail or wait. */
import type { DiskContent, DiskFile, Files, Folder, Place } from "../ports/files.ts"

type Kept = { readonly content: Uint8Array; readonly modifiedAt: number; readonly stamp: string }

export type MemoryFilesHook = (verb: keyof Files, folder: Folder, path: string) => Promise<void> | void

export class MemoryFiles implements Files {
  before: MemoryFilesHook | undefined
  #stamps = 0
  readonly #folders = new Map<string, Map<string, Kept>>()
  /** What `write` wrote, by folder and path: anything else was created by hand. */
  readonly #written = new Map<string, Map<string, string>>()

  /** Creates a file by hand; undefined deletes it. */
  byHand(folder: Folder, path: string, content: string | undefined, modifiedAt = 1): void {
    const files = inner(this.#folders, folder)
    if (content === undefined) files.delete(path)
    else files.set(path, { content: new TextEncoder().encode(content), modifiedAt, stamp: this.#stamp() })
  }

  /** Removes the folder, as after a move to another machine, with the record of what was written. */
  lose(folder: Folder): void {
    this.#folders.delete(keyOf(folder))
    this.#written.delete(keyOf(folder))
  }

  text(folder: Folder, path: string): string | undefined {
    const kept = inner(this.#folders, folder).get(path)
    return kept && new TextDecoder().decode(kept.content)
  }

  paths(folder: Folder): readonly string[] {
    return [...inner(this.#folders, folder).keys()].sort()
  }

  async read(folder: Folder, path: string, { most }: { readonly most: number }): Promise<DiskContent | undefined> {
    await this.before?.("read", folder, path)
    const kept = inner(this.#folders, folder).get(path)
    if (kept === undefined) return undefined
    const content = kept.content.length > most ? undefined : kept.content
    return { ...this.#file(folder, path, kept), content, linked: false }
  }

  async write(
    folder: Folder,
    path: string,
    content: Uint8Array,
    { hash, at }: { readonly hash: string; readonly at: number },
  ): Promise<void> {
    await this.before?.("write", folder, path)
    inner(this.#folders, folder).set(path, { content: content.slice(), modifiedAt: at, stamp: this.#stamp() })
    inner(this.#written, folder).set(path, hash)
  }

  async remove(folder: Folder, path: string): Promise<void> {
    await this.before?.("remove", folder, path)
    inner(this.#folders, folder).delete(path)
    inner(this.#written, folder).delete(path)
  }

  async list(folder: Folder, most: number): Promise<readonly DiskFile[]> {
    await this.before?.("list", folder, "")
    const files = [...inner(this.#folders, folder)].sort(([a], [b]) => (a < b ? -1 : 1))
    return files.slice(0, most).map(([path, kept]) => this.#file(folder, path, kept))
  }

  async place({ person, agent, branch, life }: Folder): Promise<Place> {
    const folder = `/memory/${person}/${agent}/${branch}~${life}`
    return { folder, home: `${folder}/.parlor` }
  }

  async adopt(folder: Folder, path: string, hash: string | null): Promise<void> {
    await this.before?.("adopt", folder, path)
    if (hash === null) inner(this.#written, folder).delete(path)
    else inner(this.#written, folder).set(path, hash)
  }

  async clear(folder: Folder): Promise<void> {
    await this.before?.("clear", folder, "")
    this.lose(folder)
  }

  async clearPerson(person: string): Promise<void> {
    for (const folders of [this.#folders, this.#written])
      for (const key of [...folders.keys()]) if (JSON.parse(key)[0] === person) folders.delete(key)
  }

  #stamp(): string {
    return String(++this.#stamps)
  }

  #file(folder: Folder, path: string, { content, modifiedAt, stamp }: Kept): DiskFile {
    const written = inner(this.#written, folder).get(path)
    return { path, bytes: content.length, modifiedAt, stamp, written: written === undefined ? [] : [written] }
  }
}

function inner<T>(outer: Map<string, Map<string, T>>, folder: Folder): Map<string, T> {
  const known = outer.get(keyOf(folder)) ?? new Map<string, T>()
  outer.set(keyOf(folder), known)
  return known
}

function keyOf({ person, agent, branch, life }: Folder): string {
  return JSON.stringify([person, agent, branch, life])
}
