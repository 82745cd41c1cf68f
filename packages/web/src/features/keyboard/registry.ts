/**
 * Who does what a shortcut says. Each feature binds its own; of two, the later goes first, and when it goes away the
 * earlier is back. A key that nobody has bound is left to the browser.
 */
import { digitOf, isStroke, type Stroke } from "./keys.ts"
import { keysOf, type ShortcutId, shortcutIds, shortcutOf, type Where } from "./shortcuts.ts"

/** `digit` is for shortcuts with a number. */
export type Run = (digit?: number) => void

export type Registry = {
  readonly bind: (id: ShortcutId, run: Run) => () => void
  readonly isBound: (id: ShortcutId) => boolean
  readonly run: (id: ShortcutId, digit?: number) => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Changes with every binding. */
  readonly version: () => number
}

export function makeRegistry(): Registry {
  const bound = new Map<ShortcutId, readonly Run[]>()
  const listeners = new Set<() => void>()
  let version = 0
  const change = (id: ShortcutId, runs: readonly Run[]) => {
    bound.set(id, runs)
    version += 1
    for (const listener of listeners) listener()
  }
  return {
    bind: (id, run) => {
      change(id, [...(bound.get(id) ?? []), run])
      return () =>
        change(
          id,
          (bound.get(id) ?? []).filter((one) => one !== run),
        )
    },
    isBound: (id) => (bound.get(id)?.length ?? 0) > 0,
    run: (id, digit) => {
      const run = bound.get(id)?.at(-1)
      run?.(digit)
      return run !== undefined
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    version: () => version,
  }
}

/** Where the focus is when a key is pressed. */
export type Focus = {
  readonly isTyping: boolean
  readonly inComposer: boolean
  /** Something stands before the page and has to be closed first. */
  readonly isBehindDialog: boolean
}

/** The shortcut that a key is, there. What places listen for themselves is theirs. */
export function shortcutFor(stroke: Stroke, focus: Focus, isMac: boolean): ShortcutId | undefined {
  if (focus.isBehindDialog) return undefined
  return shortcutIds.find((id) => {
    const { where, isLocal } = shortcutOf(id)
    if (isLocal === true) return false
    return keysOf(id, isMac).some((keys) => fits(where, keys, focus) && isStroke(stroke, keys, isMac))
  })
}

/** The digit a stroke names, for the shortcut that takes one. */
export function digitFor(id: ShortcutId, stroke: Stroke): number | undefined {
  return id === "numberedTab" ? digitOf(stroke) : undefined
}

function fits(where: Where, keys: string, focus: Focus): boolean {
  if (where === "composer") return focus.inComposer
  const isTyped = !keys.includes("+") && !/^F\d+$/.test(keys)
  return where === "page" || isTyped ? !focus.isTyping : where === "anywhere"
}
