import type { AnswerOf, ArchiveRow } from "@parlor/protocol"
import type { Do } from "./commands.ts"

/** The older chapters of a conversation (CPT-6). */
export class Archives {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** Oldest first, those that were undone included. */
  async list(): Promise<readonly ArchiveRow[]> {
    return (await this.#do<AnswerOf<"listArchives">>("on-fault", "GET", "/archives")).archives
  }

  /** A chapter with its newest messages, newest first. */
  open(archive: string): Promise<AnswerOf<"openArchive">> {
    return this.#do("on-fault", "GET", `/archives/${encodeURIComponent(archive)}`)
  }

  /** Dissolves it: what it covered is context again (CPT-5). */
  async undo(archive: string): Promise<ArchiveRow> {
    const path = `/archives/${encodeURIComponent(archive)}/undo`
    return (await this.#do<AnswerOf<"undoCompaction">>("if-undone", "POST", path)).archive
  }
}
