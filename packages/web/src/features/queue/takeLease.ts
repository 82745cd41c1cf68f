import type { LiveConversation } from "@parlor/client"
import { editOf } from "./editOf.ts"

export type Lease = {
  /** Its name among those who edit; undefined if it could not be taken. */
  readonly holder: Promise<string | undefined>
  /** Stores the text if the message is still at that version; the lease ends either way. */
  save(text: string, version: number): Promise<unknown>
  /** Releases the lease without a change. */
  release(): void
}

/**
 * Keeps a message from starting while it is edited. Editing works without a lease too, because the version check
 * detects a start, so a failed lease is ignored.
 */
export function takeLease(live: LiveConversation, id: string): Lease {
  const taken = live.lease(id).catch(() => undefined)
  let isOver = false
  const release = () => {
    if (!isOver) void taken.then((lease) => lease?.release()).catch(() => undefined)
    isOver = true
  }
  return {
    holder: taken.then((lease) => lease?.holder),
    release,
    async save(text, version) {
      const lease = await taken
      const { queue, slashCommands: commands } = live.getState()
      const edit = editOf(queue.find((row) => row.id === id) ?? lease?.row, text, commands)
      if (lease?.row.version !== version) {
        await live.edit(id, { ...edit, version })
        return release()
      }
      isOver = true
      await lease.save(edit)
    },
  }
}
