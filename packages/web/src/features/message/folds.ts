/**
 * Which folds of a conversation are open.
 *
 *   folded ◀──by hand──▶ open
 *     │ ▲                  ▲
 *  lent │ another is lent   │ by hand, or kept
 *     ▼ │                  │
 *    lent ──────────────────┘
 *
 * A person's hand decides for good. A fold that was only lent to whoever looks for words folds again when the search goes
 * on elsewhere, so that going through a conversation leaves it as it was; the last one stays, as that is where one
 * wanted to go.
 */
export type Folds = {
  readonly isOpen: (id: string) => boolean
  /** By hand. */
  readonly set: (id: string, isOpen: boolean) => void
  /** Opens one for as long as nothing else is lent; undefined takes the last one back. */
  readonly lend: (id: string | undefined) => void
  /** What is lent stays open. */
  readonly keep: () => void
  readonly subscribe: (listener: () => void) => () => void
}

/** By what a fold is known: a part is known by its place in its message. */
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
