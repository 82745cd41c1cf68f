import { composed, type LiveConversation } from "@parlor/client"
import type { Sent } from "@parlor/protocol"

/**
 * Sends, and takes a refused text out of the SDK's outbox again, because the composer gets it back. Sends that a reload
 * left behind have no composer waiting for them: those stay in `sending` as failed.
 */
export async function sendOnce(
  live: LiveConversation,
  text: string,
  options: {
    readonly mode: "immediate" | "steer"
    readonly editedFrom?: string | undefined
    /** Names that `/` and `@` may stand before. */
    readonly commands: readonly string[]
    readonly agents: readonly string[]
  },
): Promise<Sent> {
  const key = makeKey()
  const { mode, editedFrom, commands, agents } = options
  try {
    return await live.send(
      { ...composed(text, { commands, agents }), mode },
      { key, ...(editedFrom === undefined ? {} : { editedFrom }) },
    )
  } catch (refusal) {
    live.dismissSend(key)
    throw refusal
  }
}

/** Also where `crypto.randomUUID` is missing: on a page served without TLS from another machine. */
function makeKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
