import type { LiveConversation } from "@parlor/client"
import { COMPOSER_INPUT, type ComposerInput, type SendBody, type Sent } from "@parlor/protocol"
import { recognised } from "../draft/doc.ts"

/**
 * Sends, and takes what was refused out of the SDK's outbox again, because the composer gets it back. Sends that a reload
 * left behind have no composer waiting for them: those stay in `sending` as failed.
 */
export async function sendOnce(
  live: LiveConversation,
  input: ComposerInput,
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
      { ...bodyOf(recognised(input, { commands, agents })), mode },
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

/** What a send says, to be put back into the box. */
export function inputOfSend(body: SendBody): ComposerInput {
  if ("text" in body) return { source: body.text }
  return body.type === COMPOSER_INPUT ? (body.payload as ComposerInput) : { source: "" }
}

/** Also where `crypto.randomUUID` is missing: on a page served without TLS from another machine. */
function makeKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
