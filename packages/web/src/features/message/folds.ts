/**
 * Which folds of a conversation are open.
 *
 *   folded ◀──by hand──▶ open
 *     │ ▲                  ▲
 *  lent │ another is lent   │ by hand, or kept
 *     ▼ │                  │
 *    lent ──────────────────┘
 *
 * A manual choice is final. A fold opened by the search ("lent") closes again when the search moves on, so that
 * searching leaves the conversation as it was; the last one stays open.
 */
export type Folds = {
  readonly isOpen: (id: string) => boolean
  /** By hand. */
  readonly set: (id: string, isOpen: boolean) => void
  /** Opens one until another is lent; undefined closes the last one. */
  readonly lend: (id: string | undefined) => void
  /** Keeps the lent fold open. */
  readonly keep: () => void
  readonly subscribe: (listener: () => void) => () => void
}

/** The id of a fold: the message and the part's index. */
export function foldId(message: string, part: number): string {
  return `${message} ${part}`
}

export function makeFolds(opened: Iterable<string> = []): Folds {
  const open = new Set(opened)
  const listeners = new Set<() => void>()
  let lent: string | undefined
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    isOpen: (id) => open.has(id) || lent === id,
    set: (id, isOpen) => {
      if (lent === id) lent = undefined
      if (isOpen) open.add(id)
      else open.delete(id)
      tell()
    },
    lend: (id) => {
      if (lent === id) return
      lent = id
      tell()
    },
    keep: () => {
      if (lent !== undefined) open.add(lent)
      lent = undefined
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
