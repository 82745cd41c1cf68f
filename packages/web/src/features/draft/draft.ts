/**
 * The unsent draft of each conversation: text, chips and attachments (TAB-10).
 *
 * It is stored twice. `own` survives a reload of this window, so that two windows with the same conversation don't
 * overwrite each other. `shared` is the latest draft of any window, and where a new window starts.
 */

import { type ComposerInput, spanDefect } from "@parlor/protocol"
import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"
import { isNothing, joined, NOTHING } from "./doc.ts"

export type Drafts = {
  /** Returns the same object until it changes. */
  readonly read: (conversation: string) => ComposerInput
  readonly write: (conversation: string, input: ComposerInput) => void
  /** Whether there is a draft, even in a conversation this window never showed. */
  readonly has: (conversation: string) => boolean
  /** The conversations with a draft, from this window and from storage. */
  readonly written: (names: readonly string[]) => readonly string[]
  /** Inserts text before the current draft. */
  readonly give: (conversation: string, words: string | ComposerInput) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** In `own`: this window's box was cleared, so another window's draft is not loaded into it. */
const EMPTIED = ""

export const ownDrafts: OwnPart<Drafts> = ({ keep, windowKeep }) => draftsIn(keep, windowKeep)

export function draftsIn(shared: Keep, own: Keep): Drafts {
  /** Works even when the browser stores nothing. */
  const known = new Map<string, ComposerInput>()
  const listeners = new Set<() => void>()

  const stored = (conversation: string): ComposerInput => {
    const mine = own.read(keyOf(conversation))
    if (mine === EMPTIED) return NOTHING
    return parsed(mine) ?? parsed(shared.read(keyOf(conversation))) ?? NOTHING
  }
  const read = (conversation: string) => {
    const input = known.get(conversation) ?? stored(conversation)
    known.set(conversation, input)
    return input
  }
  const write = (conversation: string, input: ComposerInput) => {
    const key = keyOf(conversation)
    const before = read(conversation)
    known.set(conversation, input)
    if (!isNothing(input)) {
      const text = JSON.stringify(input)
      own.write(key, text)
      shared.write(key, text)
    } else {
      own.write(key, EMPTIED)
      // Don't overwrite what another window wrote since.
      if (shared.read(key) === JSON.stringify(before)) shared.write(key, undefined)
    }
    for (const listener of listeners) listener()
  }
  // Not with `read`, which fixes this window's starting draft: another window may still change it.
  const has = (conversation: string) => !isNothing(known.get(conversation) ?? stored(conversation))
  return {
    read,
    write,
    has,
    written: (names) => {
      const kept = names.flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
      return [...new Set([...known.keys(), ...kept])].filter(has).sort()
    },
    give: (conversation, words) => write(conversation, joined(inputFrom(words), read(conversation))),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const PREFIX = "composer."
const keyOf = (conversation: string) => `${PREFIX}${conversation}`

function inputFrom(words: string | ComposerInput): ComposerInput {
  return typeof words === "string" ? { source: words } : words
}

function parsed(text: string | undefined): ComposerInput | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "")
    if (typeof value !== "object" || value === null) return undefined
    const input = value as ComposerInput
    if (typeof input.source !== "string") return undefined
    return spanDefect(input) === undefined ? input : { source: input.source }
  } catch {
    return undefined
  }
}
