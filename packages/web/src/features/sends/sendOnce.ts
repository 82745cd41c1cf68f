import type { LiveConversation } from "@parlor/client"
import { COMPOSER_INPUT, type ComposerInput, type SendBody, type Sent } from "@parlor/protocol"
import { recognized } from "../draft/doc.ts"

/**
 * Sends, and removes a rejected message from the SDK's outbox, because the composer restores it. Sends from before a
 * reload have no composer waiting, so they stay in `sending` as failed.
 */
export async function sendOnce(
  live: LiveConversation,
  input: ComposerInput,
  options: {
    readonly mode: "immediate" | "steer"
    readonly editedFrom?: string | undefined
    /** Known names after `/` and `@`. */
    readonly commands: readonly string[]
    readonly agents: readonly string[]
  },
): Promise<Sent> {
  const key = makeKey()
  const { mode, editedFrom, commands, agents } = options
  try {
    return await live.send(
      { ...bodyOf(recognized(input, { commands, agents })), mode },
      { key, ...(editedFrom === undefined ? {} : { editedFrom }) },
    )
  } catch (refusal) {
    live.dismissSend(key)
    throw refusal
  }
}

/** Plain text stays plain text. */
export function bodyOf(input: ComposerInput): SendBody {
  return input.nodes === undefined ? { text: input.source } : { type: COMPOSER_INPUT, payload: input }
}

/** The input of a send, to restore it to the composer. */
export function inputOfSend(body: SendBody): ComposerInput {
  if ("text" in body) return { source: body.text }
  return body.type === COMPOSER_INPUT ? (body.payload as ComposerInput) : { source: "" }
}

/** Works without `crypto.randomUUID`, which is missing on pages served without TLS from another machine. */
function makeKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
