/**
 * Compares the history that a client resends with the stored conversation (API-9).
 *
 * Only the person's messages are compared: clients change replies, for example by removing reasoning. A
 * rollback requires a stored message at exactly the position of the new one, and all messages from there on must have
 * come from such a client; otherwise the new message is added at the end.
 */
export type StoredMessage = {
  readonly id: string
  /** Its text, or a digest of it: compared for equality only. */
  readonly text: string
  /** Sent by a client of this protocol, which has it in its own history. */
  readonly isFromClient: boolean
  readonly state: "queued" | "running" | "ended"
}

export type Resent = {
  /** The person's messages according to the client; the last one is the new message. */
  readonly said: readonly string[]
  /** The newest messages of the person, oldest first. */
  readonly stored: readonly StoredMessage[]
  /** `stored` begins with the first message of the conversation. */
  readonly isWhole: boolean
  /** The client always sends its whole history, so a single message is the first of the conversation. */
  readonly sendsWholeHistory: boolean
}

export type ResentVerdict =
  | { readonly kind: "append" }
  /** The same message, whose reply is still to come. */
  | { readonly kind: "follow"; readonly message: string }
  /** An edited message, or a reply to regenerate: it replaces this one. */
  | { readonly kind: "replace"; readonly message: string }

/** How many messages before the new one are compared. */
const COMPARED = 8

export function compareResent({ said, stored, isWhole, sendsWholeHistory }: Resent): ResentVerdict {
  const last = said.at(-1)
  const before = said.slice(0, -1).slice(-COMPARED)
  if (before.length === 0 && !(isWhole && sendsWholeHistory)) return append
  const place = before.length === 0 ? 0 : placeAfter(before, stored)
  const rest = place === undefined ? [] : stored.slice(place)
  const [first] = rest
  if (first === undefined || !rest.every(({ isFromClient }) => isFromClient)) return append
  if (first.state === "queued") return first.text === last ? { kind: "follow", message: first.id } : append
  if (first.state === "running" && first.text === last) return { kind: "follow", message: first.id }
  return { kind: "replace", message: first.id }
}

/** Normalizes the text: some clients trim it or change line endings. */
export function comparable(text: string): string {
  return text.split(/\s/).filter(Boolean).join(" ")
}

const append: ResentVerdict = { kind: "append" }

/** The index after the last occurrence of these messages in sequence. */
function placeAfter(texts: readonly string[], stored: readonly StoredMessage[]): number | undefined {
  for (let end = stored.length; end >= texts.length; end--)
    if (texts.every((text, index) => stored[end - texts.length + index]?.text === text)) return end
  return undefined
}
