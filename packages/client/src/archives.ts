import type { AnswerOf, ArchiveRow } from "@parlor/protocol"
import type { Do } from "./do.ts"

/** The chapters of a conversation (CPT-6). */
export class Archives {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** Oldest first, including those that were undone. */
  async list(): Promise<readonly ArchiveRow[]> {
    const archives: ArchiveRow[] = []
    for (let before: string | undefined; ; ) {
      const page = await this.#do("listArchives", { query: { before } })
      archives.push(...page.archives)
      if (page.older === null) return archives.sort((a, b) => a.began - b.began)
      before = page.older
    }
  }

  /** A chapter with its newest messages, newest first. */
  open(archive: string): Promise<AnswerOf<"openArchive">> {
    return this.#do("openArchive", { params: { archive } })
  }

  /** Undoes the compaction: the model sees the messages again (CPT-5). */
  async undo(archive: string): Promise<ArchiveRow> {
    return (await this.#do("undoCompaction", { params: { archive } })).archive
  }
}
