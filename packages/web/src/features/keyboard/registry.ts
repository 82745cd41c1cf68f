/**
 * Shortcut handlers. Each feature binds its own; of two, the one nearer to the focus wins, otherwise the later one
 * until it unbinds. An unbound key is left to the browser.
 */
import { digitOf, isStroke, type Stroke } from "./keys.ts"
import { keysOf, type ShortcutId, shortcutIds, shortcutOf, type Where } from "./shortcuts.ts"

/** `digit` is for shortcuts with a number. */
export type Run = (digit?: number) => void

export type Registry = {
  /** `nearness` is evaluated on key press: the nearest handler wins. */
  readonly bind: (id: ShortcutId, run: Run, nearness?: () => number) => () => void
  readonly isBound: (id: ShortcutId) => boolean
  readonly run: (id: ShortcutId, digit?: number) => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Changes with every binding. */
  readonly version: () => number
}

/** The nearness of handlers without a place in the page. */
export const ANYWHERE = 1

type Binding = { readonly run: Run; readonly nearness: () => number }

export function makeRegistry(): Registry {
  const bound = new Map<ShortcutId, readonly Binding[]>()
  const listeners = new Set<() => void>()
  let version = 0
  const change = (id: ShortcutId, bindings: readonly Binding[]) => {
    bound.set(id, bindings)
    version += 1
    for (const listener of listeners) listener()
  }
  return {
    bind: (id, run, nearness = () => ANYWHERE) => {
      const binding = { run, nearness }
      change(id, [...(bound.get(id) ?? []), binding])
      return () =>
        change(
          id,
          (bound.get(id) ?? []).filter((one) => one !== binding),
        )
    },
    isBound: (id) => (bound.get(id)?.length ?? 0) > 0,
    run: (id, digit) => {
      const nearest = nearestOf(bound.get(id) ?? [])
      nearest?.run(digit)
      return nearest !== undefined
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    version: () => version,
  }
}

/** Of two that are equally near, the later. */
function nearestOf(bindings: readonly Binding[]): Binding | undefined {
  const most = Math.max(...bindings.map(({ nearness }) => nearness()))
  return bindings.findLast(({ nearness }) => nearness() === most)
}

/** Where the focus is when a key is pressed. */
export type Focus = {
  readonly isTyping: boolean
  readonly inComposer: boolean
  /** A modal dialog is open and must be closed first. */
  readonly isBehindDialog: boolean
}

/** The shortcut for a key event in that place, except those handled locally. */
export function shortcutFor(stroke: Stroke, focus: Focus, isMac: boolean): ShortcutId | undefined {
  if (focus.isBehindDialog) return undefined
  return shortcutIds.find((id) => {
    const { where, isLocal } = shortcutOf(id)
    if (isLocal === true) return false
    return keysOf(id, isMac).some((keys) => fits(where, keys, focus) && isStroke(stroke, keys, isMac))
  })
}

/** The digit a stroke names, for the shortcut that expects one. */
export function digitFor(id: ShortcutId, stroke: Stroke): number | undefined {
  return id === "numberedTab" ? digitOf(stroke) : undefined
}

function fits(where: Where, keys: string, focus: Focus): boolean {
  if (where === "composer") return focus.inComposer
  const isTyped = !keys.includes("+") && !/^F\d+$/.test(keys)
  return where === "page" || isTyped ? !focus.isTyping : where === "anywhere"
}
