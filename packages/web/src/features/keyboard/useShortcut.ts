import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react"
import { ariaKeys, isMacPlatform, isStroke, type Stroke, shownKeys } from "./keys.ts"
import { ANYWHERE, makeRegistry, type Run } from "./registry.ts"
import { keysOf, type ShortcutId, shortcutIds } from "./shortcuts.ts"

export const registry = makeRegistry()

const isMac = typeof navigator !== "undefined" && isMacPlatform(navigator.platform)

/**
 * Runs the action on key press or from the palette while mounted and `enabled`. `at` is for components that exist in
 * both panes: the focused pane wins, otherwise the one in front.
 */
export function useShortcut(id: ShortcutId, run: Run, enabled = true, at?: RefObject<Element | null>): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!enabled) return
    return registry.bind(id, (digit) => latest.current(digit), at && (() => nearness(at.current)))
  }, [id, enabled, at])
}

function nearness(place: Element | null): number {
  const pane = place?.closest("main, aside") ?? null
  if (pane?.contains(document.activeElement)) return ANYWHERE + 1
  return pane?.localName === "main" ? ANYWHERE : 0
}

/** The actions available now. */
export function useBound(): readonly ShortcutId[] {
  useSyncExternalStore(registry.subscribe, registry.version, registry.version)
  return shortcutIds.filter(registry.isBound)
}

/** The keys as written on this platform, for display. */
export function keysFor(id: ShortcutId): string {
  return shownKeys(keysOf(id, isMac)[0] ?? "", isMac)
}

/** Every way to press it, as shown. */
export function allKeysFor(id: ShortcutId): readonly string[] {
  return keysOf(id, isMac).map((keys) => shownKeys(keys, isMac))
}

/** For `aria-keyshortcuts`. */
export function ariaKeysFor(id: ShortcutId): string {
  return ariaKeys(keysOf(id, isMac)[0] ?? "", isMac)
}

/** For components that handle their own keys. */
export function isKeyOf(id: ShortcutId, stroke: Stroke): boolean {
  return keysOf(id, isMac).some((keys) => isStroke(stroke, keys, isMac))
}

export const onMac = isMac
