import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react"
import { ariaKeys, isMacPlatform, isStroke, type Stroke, shownKeys } from "./keys.ts"
import { ANYWHERE, makeRegistry, type Run } from "./registry.ts"
import { keysOf, type ShortcutId, shortcutIds } from "./shortcuts.ts"

export const registry = makeRegistry()

const isMac = typeof navigator !== "undefined" && isMacPlatform(navigator.platform)

/**
 * Does it when the key is pressed or the palette is asked, as long as this is shown and `enabled`. `at` is for what may
 * be there twice, in front and on the side: the one with the focus does it, else the one in front.
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

/** What can be done now. */
export function useBound(): readonly ShortcutId[] {
  useSyncExternalStore(registry.subscribe, registry.version, registry.version)
  return shortcutIds.filter(registry.isBound)
}

/** The keys as this machine's keyboard has them, to be shown beside what they do. */
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

/** For a place that listens for its own keys. */
export function isKeyOf(id: ShortcutId, stroke: Stroke): boolean {
  return keysOf(id, isMac).some((keys) => isStroke(stroke, keys, isMac))
}

export const onMac = isMac
